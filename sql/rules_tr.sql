-- rules_tr.sql - the Turkish rules of the message classifier. See rules_en.sql for how rules read.

-- Units that end a task when all of a message is made of them: the work is done, it is given up, a
-- no, and words that say nothing of their own.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Affirmation', NULL, '(?:evet|tamam|tamamdır|olur|tabi|tabi ki|tabii|tabii ki|elbette|kesinlikle|peki|aynen|doğru|onaylıyorum|uygun|anlaştık|harika|süper|mükemmel|çok iyi|çok güzel|güzel|iyi|şahane|muhteşem|eline sağlık|ellerine sağlık|teşekkürler|teşekkür ederim|çok teşekkürler|sağol|sağolun|sağ ol|sağ olun|eyvallah|bravo|ok|okey|yap|yap lütfen|devam|devam et)\b', 1, 'tr', 'builtin'),
('Completion', NULL, '(?:bu kadar|hepsi bu|hepsi bu kadar|o kadar|şimdilik bu kadar|başka yok|başka bir şey yok|başka isteğim yok|başka bir isteğim yok)\b', 1, 'tr', 'builtin'),
('Completion', NULL, '(?:(?:(?:şimdi|artık|her şey|hepsi|bende|denedim|baktım|bu) ){0,3}(?:çalışıyor|çalıştı|oldu|geldi|düzeldi|düzelmiş|açıldı|tamam|bitti|halloldu|çözüldü|sorunsuz|sorun yok|gayet iyi|yerinde)(?: (?:artık|şimdi|gayet güzel|güzelce|sorunsuz)){0,2}|(?:tam(?:ı tamına)?|aynen) (?:istediğim|düşündüğüm|beklediğim) (?:gibi|şey)(?: olmuş| oldu)?|(?:kapatabiliriz|kapatabilirsin|görüşürüz|iyi (?:günler|akşamlar|geceler|çalışmalar)|hoşça kal|benim hatam|yanlış alarm|hata yok|memnunum|çok memnunum))\b', 1, 'tr', 'builtin'),
('Dismissal', NULL, '(?:fikrimi değiştirdim|kararımı değiştirdim|burada bırakalım|pes ediyorum)\b', 1, 'tr', 'builtin'),
('Dismissal', NULL, '(?:(?:boşver|boş ver|unut(?: gitsin)?|unutalım|vazgeç(?:tim|tik|elim)?|bırak(?:alım|tım|tık)?|iptal(?: et(?:elim|tim)?| edin)?|dur(?:dur(?:un)?)?|durun|kes|yeter|son ver|sonlandır|pes(?: ediyorum)?)(?: (?:gitsin|et|bunu|onu|hepsini|her şeyi|şimdi|hemen|lütfen|artık|görevi|işi|ya|dur|iptal|bu|işi|burada|burda)){0,4}(?=\n|\z))\b', 1, 'tr', 'builtin'),
('Dismissal', 'Running, Interrupted, PendingComplete', '(?:kendim yaparım|kendim yapacağım|kendim hallederim|kendim yazarım|elle yaparım|elle yapacağım|elle hallederim|elle yazarım|ben yaparım|ben yapacağım|ben hallederim|ben yazarım|çok pahalı|çok geç|önemli değil|fark etmez artık)\b', 1, 'tr', 'builtin'),
('Dismissal', 'Running, Interrupted, PendingComplete', '(?:(?:artık |buna |hiç |bunu ){0,3}(?:gerek (?:yok|kalmadı)|ihtiyacım(?:ız)? (?:yok|kalmadı)|istemiyorum|istemiyoruz|değmez|anlamı (?:yok|kalmadı)|lazım değil|uğraşma|yapma|gönderme|silme|dokunma)(?: (?:artık|hiçbir şey|hiçbir şeye|şimdi|onu|bunu)){0,2})\b', 1, 'tr', 'builtin'),
('Completion', 'PendingComplete', '(?:hayır teşekkürler|hayır teşekkür ederim)\b', 1, 'tr', 'builtin'),
('Refusal', 'None, Running, AwaitingUser, Interrupted', '(?:hayır teşekkürler|hayır teşekkür ederim)\b', 1, 'tr', 'builtin'),
('Refusal', NULL, '(?:hayır|yok|yo|şimdi değil|şimdilik yok|şimdilik hayır)\b', 1, 'tr', 'builtin'),
('Filler', NULL, '(?:ben|sen|siz|biz|o|bu|şu|bunu|onu|bir|ve|de|da|ya|çok|gerçekten|şimdi|artık|hemen|lütfen|ah|oh|hm|hmm|hmmm|eh|işte|neyse|sanırım|galiba|maalesef|yazık|bence|bende|için|ile|her şey|hepsi|iş|işi|görev|proje|hocam|abi|tamam|evet|peki|iyi|güzel|bugün|o zaman|zaten|sadece|valla|kusura bakma|pardon|özür dilerim)\b', 1, 'tr', 'builtin'),
('Refusal', NULL, '(?:değil|hiç|asla|olmadan|eğer)\b', -1, 'tr', 'builtin');

-- Questions, orders and goals in more words.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Modification', NULL, '\b(?:değiştir|birleştir|yerleştir|sil|ekle|yap|yaz|koy|kaldır|taşı|düzelt|çevir|gönder|güncelle|kullan|oluştur|kaydet|dene|kontrol et|devam et|ayarla|göster|kapat|büyüt|küçült|düzenle|çıkar|commit et)(?:ir misin|ebilir misin|sin|in|elim|sene|iniz)?(?: lütfen)?$', 2.5, 'tr', 'builtin'),
('Modification', NULL, '^(?:ve |ama |şimdi |peki |tamam |iyi |güzel |bir de |önce |lütfen |hayır |evet |teşekkürler |ayrıca ){0,4}(?:devam(?: et)?$|commit)', 2.5, 'tr', 'builtin'),
('Modification', NULL, '(?:çalışmıyor|olmadı\b|açılmıyor|hata\b|hatası|bozuk|bozuldu|çöktü|çöküyor|donuyor|takıl|hâlâ|hala\b|yanlış|eksik|boş (?:geliyor|görünüyor)|çok (?:küçük|büyük|yavaş|uzun|kısa)|gözükmüyor|görünmüyor)', 2.25, 'tr', 'builtin'),
('Modification', 'AwaitingUser', '(?:çalışmıyor|olmadı\b|açılmıyor|hata\b|hatası|bozuk|bozuldu|çöktü|çöküyor|donuyor|takıl|hâlâ|hala\b|yanlış|eksik|boş (?:geliyor|görünüyor)|çok (?:küçük|büyük|yavaş|uzun|kısa)|gözükmüyor|görünmüyor)', 2.5, 'tr', 'builtin'),
('Clarification', NULL, '^(?:ve |ama |şimdi |peki |tamam |iyi |güzel |bir de |önce |lütfen |hayır |evet |teşekkürler |ayrıca ){0,4}(?:(?:ne|neden|niye|niçin|nasıl|nerede|nereye|nereden|kim|kimin|hangi|kaç)\b|ne zaman|bu ne|ne kadar)', 2.5, 'tr', 'builtin'),
('Clarification', NULL, '\b(?:(?:mı|mu|mü|mısın|musun|müsün|mıyım|miyim|mıyız|miyiz|mıydı|miydi)\b|misin\b(?<!r misin)|mısın\b(?<!r mısın)|mi\?$)', 2.5, 'tr', 'builtin'),
('Clarification', 'PendingComplete, Running, Interrupted', '\b(?:ne|neden|niye|niçin|nasıl|nerede|nereye|nereden|kim|kimin|hangi|kaç|mı|mu|mü|musun|müsün|mıyım|miyim|mıyız|miyiz|mıydı|miydi)\b[^\n]*\?$', 1.5, 'tr', 'builtin'),
('Modification', NULL, '(?:(?<=r)|(?<=r ))(?:misin|mısın)\b|(?:istiyorum|isterim|lazım|gerekiyor|olsun\b|olsa(?: iyi)?|yapalım|edelim|koyalım|daha (?:büyük|küçük|kısa|uzun|hızlı))', 2, 'tr', 'builtin'),
('NewTask', NULL, '(?:başka (?:bir )?(?:konu|iş|şey)\b(?! (?:yok|istemiyorum))|yeni (?:bir )?(?:görev|iş|proje)\b|sıradaki (?:iş|görev)|şimdi bana|bana (?:bir )?\w+ (?:hazırla|yaz|yap|bul))', 6, 'tr', 'builtin'),
('Abandon', NULL, '(?:vazgeç(?:tim|tik)|boş ?ver|iptal (?:et|ettim|edelim)|gerek (?:kalmadı|yok)|uğraşma|bırakalım|pes ediyorum|unut gitsin)', 3.5, 'tr', 'builtin'),
('Modification', 'AwaitingUser', '^(?:ve |ama |şimdi |peki |tamam |iyi |güzel |bir de |önce |lütfen |hayır |evet |teşekkürler |ayrıca ){0,4}(?:bu arada|önce (?:şu|şunu|bunu)|bekle\b|dur\b)', 3.5, 'tr', 'builtin');
