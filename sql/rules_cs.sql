-- rules_cs.sql - the Czech and Slovak rules of the message classifier. See rules_en.sql for how
-- rules read.

INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Affirmation', NULL, '(?:an[oó]|jo+|jojo|jasně|jasne|jasný|jasná věc|dobře|dobre|dobrý|dobrá|oká|okej|ok|souhlasím|souhlasim|správně|přesně|presne|rozumím|chápu|v pořádku|v poriadku|platí|budiž|fajn|tak jo|hej|áno|určitě|samozřejmě)\b', 1, 'cs', 'builtin'),
('Affirmation', NULL, '(?:je to |to je |to |vše |všechno |už |teď |moc |fakt |to bylo |vypadá to |vypadá |funguje to |už to ){0,5}(?:super|skvělé|skvěle|výborně|výborné|paráda|perfektní|perfektně|bezva|parádní|pěkné|pěkný|hezké|hezky|bomba|skvělá práce|dobrá práce|dobře|funguje|líbí|jede|jde|hotovo|úžasné|špica|sedí)(?: (?:práce|teď|už|funguje|jede|díky|dobře|super|skvěle|takhle|to)){0,5}\b', 1, 'cs', 'builtin'),
('Affirmation', NULL, '(?:(?:moc|mockrát|velké|srdečné) )?(?:díky|diky|dík|děkuju|děkuji|dekuju|dekuji|dakujem|ďakujem|děkujeme)(?: (?:moc|mockrát|za (?:pomoc|vše|všechno|práci))){0,5}\b', 1, 'cs', 'builtin'),
('Modification', NULL, '^(?:a |ale |tak |teď |pak |prosím |ok |jo |ne |dobře |super |ještě |nejdřív |radši |jen |taky |a teď ){0,5}(?:udělej|dej|přidej|odeber|odstraň|smaž|změň|uprav|oprav|posuň|přesuň|vlož|hoď|nastav|použij|vrať|spusť|otestuj|zkus|zkontroluj|napiš|vytvoř|ulož|nahraj|pokračuj|jeď|jedem|pojď|zvětši|zmenši|nech|vyměň|přepiš|přejmenuj|nainstaluj|commitni|pushni|začni|udělejte|přidejte|můžem)\w*\b', 2.5, 'cs', 'builtin'),
('Modification', NULL, '\b(?:nefunguje|nejde|nejede|neukazuje|nezobrazuje|nenačítá|nevidím|nevidim|pořád|stále|zase|chyba|chybí|padá|spadl\w*|rozbit\w*|špatně|blbě|prázdn\w*|moc (?:velk|mal|dlouh)\w*|ale|jenže|místo|chtěl\w* bych|chci|potřebuj\w*|mohl\w* by|můžeš|můžete|měl\w* by|musí|prosím)\b', 1.5, 'cs', 'builtin'),
('Confirmation', NULL, '\b(?:ale|jen|ještě|prosím|můžeš|jenže|teď (?:udělej|přidej|dej)|ne)\b', -2, 'cs', 'builtin'),
('Clarification', NULL, '^(?:a |ale |tak |ok |jo |díky |dobře |počkej |hele |no ){0,5}(?:proč|jak|co|kde|kdy|kdo|kolik|kam|odkud|kter(?:ý|á|é|ou|ého|ém)|jak(?:ý|á|é|ou)|čím|čeho|na co|k čemu|v čem|z čeho)\b[^?]*\?', 3, 'cs', 'builtin'),
('Clarification', NULL, '\A(?:a |ale |tak |ok |díky ){0,5}(?:jak (?:se|to|mám|mam)|co (?:je|to|znamená|dělá)|kde (?:je|jsou|mám)|kdy|kolik|který|která|které)\b', 2, 'cs', 'builtin'),
('Clarification', NULL, '\b(?:vysvětli\w*|řekni|ukaž|popiš|připomeň|nerozumím|nechápu|nevím (?:co|jak|proč|kde)|zajímá mě|co (?:je to|znamená)|má(?:m|š|me)? to smysl|je (?:to|možné) |jde to|šlo by|dá se|jsi si jist\w*|stačí)\b[^?]*\?', 2, 'cs', 'builtin'),
('Clarification', 'PendingComplete', '^(?:\w+ )?proč (?:to|je|se|mi|ne|není|nejde|nefunguje) ', -2, 'cs', 'builtin'),
('Clarification', NULL, '\b(?:vysvětli|popiš mi|řekni mi|nechápu (?:proč|jak|co))\b', 2.5, 'cs', 'builtin'),
('Confirmation', 'PendingComplete, Running, Interrupted, None', '\b(?:(?:už|teď|všechno|vše) (?:to )?(?:funguje|jede|jde|sedí)|funguje (?:to|skvěle|dobře|výborně|super)|(?:to|přesně) (?:je ono|co jsem chtěl\w*)|skvělá práce|dobrá práce|vyřešeno)\b', 3, 'cs', 'builtin'),
('Confirmation', 'PendingComplete', '\A(?:ne|ne díky|nic|nic dalšího|to je (?:vše|všechno)|zatím (?:nic|vše)|hotovo|to stačí)(?:[ \n]*(?:díky|děkuj|dík)[^\n]*)?\z', 4, 'cs', 'builtin'),
('Confirmation', 'PendingComplete, Running', '\b(?:díky|děkuj\w|dík)\b', 1, 'cs', 'builtin'),
('Abandon', NULL, '\A(?:(?:ok|ne|no|tak|hele|prosím|už|radši|jo)[ \n]){0,5}(?:(?:stop|stůj|dost|zastav(?: to)?|přestaň(?:te)?|konec|zruš(?: to|te to)?|zrušit|nech(?: to|me to)?(?: (?:být|bejt|tak))?|zapomeň(?: na to)?|kašli na to|vykašli se na to|to je jedno|nevadí|už (?:to )?(?:nechci|nepotřebuju|není potřeba)|není (?:to )?(?:potřeba|třeba)|vzdávám to|ukonči(?: to)?|to stačí)(?: (?:prosím|hned|už|díky)){0,5}(?:\n|\z)){1,4}\z', 7, 'cs', 'builtin'),
('Abandon', NULL, '\b(?:už (?:to )?(?:nepotřebuj\w*|není potřeba|nechci|jsem (?:našel|vyřešil|udělal)\w*)|udělám (?:si )?to sám|nestojí to za to)\b', 3, 'cs', 'builtin'),
('NewTask', NULL, '^(?:ok |tak |a |teď |dobře |díky |super ){0,5}(?:nov(?:ý|á|é) (?:úkol|téma|věc|projekt)|jin(?:ý|á|é) (?:úkol|téma|věc|projekt)|další (?:úkol|téma)|něco (?:jiného|nového)|jiná věc|změna tématu)', 8, 'cs', 'builtin'),
('Unclear', NULL, '\A(?:(?:ahoj[ \n])?dobr(?:ý den|é ráno|ý večer)|ahoj|čau|hej|haló|test|ups|hm+|jsi tam)\??\z', 5, 'cs', 'builtin');

-- Units that end a task when all of a message is made of them: the work is done, it is given up, a
-- no, and words that say nothing of their own.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Completion', NULL, '(?:jsem spokojený|jsem spokojená|jsem spokojen|můžeme zavřít|můžeme uzavřít|můžeme to zavřít|můžeme to uzavřít)\b', 1, 'cs', 'builtin'),
('Completion', NULL, '(?:(?:(?:už|teď|nyní|to|všechno|vše|mi|tady|konečně) ){0,3}(?:funguje|jede|běží|šlape|sedí|chodí|prošlo|přišlo|je (?:to )?(?:hotovo|v pořádku|opraveno|ok|super|perfektní)|hotovo|opraveno|vyřešeno|v pořádku|v pohodě)(?: (?:to|už|teď|všechno|dobře|skvěle|perfektně|jak má|výborně|i u mě)){0,3}|(?:to (?:je|bylo) |a to je )?(?:všechno|vše)(?: (?:pro dnešek|zatím|děkuji|díky)){0,2}|(?:už |zatím )?nic(?: (?:víc|dalšího|jiného|už)){0,2}|(?:přesně|právě) (?:tak|to|tohle)(?: (?:jsem (?:chtěl|chtěla|potřeboval|potřebovala)))?|(?:paráda|super|skvělé|skvěle|výborně|výborné|nádhera|perfektní|dobrá práce|díky(?: (?:moc|za (?:pomoc|všechno))){0,2}|děkuji(?: (?:moc|mnohokrát|za (?:pomoc|všechno))){0,2}|konečně|na shledanou|dobrou noc|hezký (?:den|večer|víkend)|moje chyba|planý poplach|bez (?:chyb|problémů)))\b', 1, 'cs', 'builtin'),
('Dismissal', NULL, '(?:kašlu na to|už ne|už nic)\b', 1, 'cs', 'builtin'),
('Dismissal', NULL, '(?:(?:zapomeň|zapomeňte|zapomeňme)(?: (?:na to|to|na všechno)){0,2}|(?:nech|nechte|nechme|nechej)(?: (?:to|toho|být|tak|už)){1,3}(?=\n|\z)|(?:zruš|zrušte|zrušit|zrušíme|stop|stůj|zastav|zastavte|zastavit|přestaň|přestaňte|dost|konec|skonči|skončeme|ukonči|ukončeme|vykašli|zahoď)(?: (?:to|se na to|všechno|vše|ten úkol|úkol|celé|už|hned|prosím|tady|s tím)){0,4}(?=\n|\z)|(?:vzdávám|vzdáváme)(?: (?:to|se)){0,2}|(?:rozmyslel|rozmyslela|rozmysleli)(?: (?:jsem|jsme|si|to)){0,3})\b', 1, 'cs', 'builtin'),
('Dismissal', 'Running, Interrupted, PendingComplete', '(?:je to jedno|nic nedělej|nic už nedělej|pozdě|moc drahé)\b', 1, 'cs', 'builtin'),
('Dismissal', 'Running, Interrupted, PendingComplete', '(?:(?:už |to |my ){0,3}(?:nepotřebuji|nepotřebuju|nepotřebujeme|není potřeba|netřeba|nechci|nechceme|nestojí za to|nemá (?:to )?(?:smysl|cenu))(?: (?:to|už|nic)){0,2}|(?:udělám|napíšu|dodělám)(?: (?:to|si))* (?:sám|sama|ručně))\b', 1, 'cs', 'builtin'),
('Completion', 'PendingComplete', '(?:ne díky|ne děkuji)\b', 1, 'cs', 'builtin'),
('Refusal', 'None, Running, AwaitingUser, Interrupted', '(?:ne díky|ne děkuji)\b', 1, 'cs', 'builtin'),
('Refusal', NULL, '(?:ne|nic|teď ne|zatím ne)\b', 1, 'cs', 'builtin'),
('Filler', NULL, '(?:já|ty|on|ona|my|vy|mi|mě|nám|to|ten|ta|toto|tohle|a|i|už|teď|tady|tak|no|jo|ano|ach|hm|hmm|hmmm|prosím|díky|moc|velmi|opravdu|je|jsem|jsme|byl|bylo|jen|na|v|s|do|za|pro|o|si|se|ale díky|bohužel|škoda|práce|úkol|věc|všechno|dobře|ok|super|dnes|raději|radši)\b', 1, 'cs', 'builtin'),
('Refusal', NULL, '(?:není|nefunguje|nejde|nikdy|bez|pokud|když)\b', -1, 'cs', 'builtin');
