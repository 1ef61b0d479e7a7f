-- rules_pl.sql - the Polish rules of the message classifier. See rules_en.sql for how rules read.

INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Affirmation', NULL, '(?:tak+|no tak|jasne|pewnie|oczywiście|dobra|dobrze|okej|ok|zgoda|racja|dokładnie|zgadza się|w porządku|rozumiem|jest ok|może być|potwierdzam|spoko|gra)\b', 1, 'pl', 'builtin'),
('Affirmation', NULL, '(?:jest |to |wszystko |bardzo |teraz |już |wygląda |naprawdę ){0,5}(?:super|świetnie|świetne|świetna robota|idealnie|idealne|doskonale|pięknie|ładnie|ekstra|bomba|dobra robota|dobrze|działa|rewelacja|gotowe|podoba mi się)(?: (?:działa|teraz|robota|dzięki|dobrze|wszystko)){0,5}\b', 1, 'pl', 'builtin'),
('Affirmation', NULL, '(?:(?:wielkie|bardzo|serdeczne) )?(?:dzięki|dzieki|dziękuję|dziekuje|dzięks)(?: (?:bardzo|wielkie|za (?:pomoc|wszystko))){0,5}\b', 1, 'pl', 'builtin'),
('Modification', NULL, '^(?:i |a |ale |to |teraz |potem |proszę |ok |tak |nie |dobra |super |jeszcze |najpierw |tylko ){0,5}(?:zrób|dodaj|usuń|zmień|popraw|przesuń|wstaw|ustaw|użyj|przywróć|uruchom|przetestuj|sprawdź|napisz|utwórz|zapisz|wgraj|kontynuuj|dalej|jedź dalej|zostaw|zamień|przenieś|zainstaluj|spisz|wrzuć|cofnij|spróbuj)\b', 2.5, 'pl', 'builtin'),
('Modification', NULL, '\b(?:nie (?:działa|widać|pokazuje|ładuje|otwiera|ma|da się|tak)|nadal|wciąż|ciągle|znowu|błąd|błędy|brakuje|zepsut\w*|źle|pust\w*|za (?:duż|mał|dług|wolno)\w*|ale|zamiast|chciał\w*bym|chcę|potrzebuję|możesz|mógłbyś|powinn\w*|trzeba|proszę)\b', 1.5, 'pl', 'builtin'),
('Confirmation', NULL, '\b(?:ale|tylko|jeszcze|proszę|możesz|teraz (?:zrób|dodaj)|nie)\b', -2, 'pl', 'builtin'),
('Clarification', NULL, '^(?:i |a |ale |ok |to |dzięki |czekaj |no ){0,5}(?:dlaczego|czemu|jak|co|gdzie|kiedy|kto|ile|skąd|po co|czy|któr(?:y|a|e)|jak(?:i|a|ie)|na czym|do czego)\b[^?]*\?', 3, 'pl', 'builtin'),
('Clarification', NULL, '\b(?:wyjaśnij|wytłumacz|powiedz mi|pokaż mi|opisz|przypomnij|nie rozumiem|nie wiem (?:co|jak|czemu|gdzie)|co to (?:jest|znaczy)|zastanawiam się)\b', 2.5, 'pl', 'builtin'),
('Confirmation', 'PendingComplete, Running, Interrupted, None', '\b(?:(?:teraz|już|wszystko) działa|działa (?:super|świetnie|dobrze|idealnie)|dokładnie o to (?:mi )?chodziło|dobra robota|rozwiązane)\b', 3, 'pl', 'builtin'),
('Confirmation', 'PendingComplete', '\A(?:nie|nie dzięki|nic|nic więcej|to wszystko|to tyle|na razie (?:tyle|wszystko))(?:[ \n]*(?:dzięk|dziękuj)[^\n]*)?\z', 4, 'pl', 'builtin'),
('Abandon', NULL, '\A(?:(?:ok|nie|no|to|dobra|proszę|już|lepiej)[ \n]){0,5}(?:(?:stop|stój|przestań|przerwij|zatrzymaj(?: się| to)?|anuluj(?: to| wszystko)?|wystarczy|starczy|dość|dosyć|koniec|zapomnij(?: o tym)?|nieważne|nie ważne|zostaw to|daj spokój|odpuść|już nie (?:trzeba|chcę|potrzebuję)|nie trzeba|rezygnuję|poddaję się)(?: (?:już|proszę|teraz|dzięki)){0,5}(?:\n|\z)){1,4}\z', 7, 'pl', 'builtin'),
('Abandon', NULL, '\b(?:już (?:tego )?nie (?:potrzebuj\w*|trzeba|chcę)|zrobię to sam|szkoda czasu|nie warto)\b', 3, 'pl', 'builtin'),
('NewTask', NULL, '^(?:ok |a |teraz |dobra |dzięki |super ){0,5}(?:now(?:e|y|a) (?:zadanie|temat|projekt|sprawa)|inn(?:e|y|a) (?:zadanie|temat|projekt|sprawa)|coś (?:innego|nowego)|zmiana tematu|następne zadanie)', 8, 'pl', 'builtin'),
('Unclear', NULL, '\A(?:(?:cześć[ \n])?(?:dzień dobry|dobry wieczór)|cześć|hej|halo|test|ups|hm+|jesteś tam)\??\z', 5, 'pl', 'builtin');
