/*
** answer_words.c - the words in which people answer a choice, in 20 languages. See ext/classify/patterns.h for the
** patterns.
**
** English, German, Spanish, French, Portuguese, Italian, Russian, Ukrainian, Polish, Czech, Dutch, Turkish,
** Chinese, Japanese, Korean, Arabic, Hindi, Swedish, Vietnamese, Indonesian.
*/
#include "answer_words.h"

#include <stddef.h>

/* What the work is called behind a verb, in each language. All of it may be missing. */
#define EN_WORK                                                                                    \
  " the|that|this|my|our|your? "                                                                   \
  "old|older|previous|prior|last|current|existing|unfinished|earlier|same|original|saved|open? "   \
  "work|task|one|job|thing|project|session|stuff|topic|conversation|chat|it|that|this? "
#define DE_WORK                                                                                    \
  " der|die|das|dem|den|dieser|diese|dieses|diesem|meiner|meine|unserer|unsere? "                  \
  "alte|alten|vorige|vorigen|vorherige|vorherigen|bisherige|bisherigen|letzte|letzten|aktuelle|"   \
  "aktuellen|angefangene|angefangenen? "                                                           \
  "arbeit|aufgabe|sache|thema|projekt|task|damit|daran|es|das? "
#define ES_WORK                                                                                    \
  " el|la|lo|ese|esa|este|esta|mi? "                                                               \
  "trabajo|tarea|tema|eso|esto|ello|anterior|que_estábamos_haciendo? anterior|previo|previa|"     \
  "actual|pendiente? "
#define FR_WORK                                                                                    \
  " le|la|ce|cet|cette|mon|ma|notre? ancien|ancienne|l'ancien|l'ancienne? "                        \
  "travail|tâche|sujet|projet|ça|cela|ceci? précédent|précédente|actuel|actuelle|en_cours? "
#define PT_WORK                                                                                    \
  " o|a|esse|essa|este|esta|nesse|nessa|no|na? "                                                   \
  "trabalho|tarefa|assunto|isso|isto|nisso? anterior|atual|pendente? "
#define IT_WORK                                                                                    \
  " il|la|lo|quel|quella|questo|questa? "                                                          \
  "lavoro|compito|attività|quello|questo|ciò? precedente|attuale|in_corso? "
#define RU_WORK                                                                                                                                                   \
  " эту|эта|этой|ту|той|этим|над|с? старую|старой|прежнюю|прежней|прошлую|прошлой|текущую|" \
  "текущей|предыдущую|предыдущей? работу|работой|работе|задачу|задачей|задаче|дело|это|этим? "
#define ZH_WORK                                                                                                                     \
  " 做|进行|進行|完成|处理? 之前|以前|原来|原來|刚才|剛才|上次|当前|現在|现在|未完成|旧|舊|老? " \
  "的? 那个|那個|这个|這個|那|这? 工作|任务|任務|事情|事|内容? "

/* The new thing, where a word for "new" has to be there. */
#define EN_NEW                                                                                     \
  " a|an|the|my|your|that|this? new|fresh|different|separate|brand_new "                           \
  "request|task|one|session|thing|topic|work|job|idea|start|project|chat|conversation|message? "
#define DE_NEW                                                                                     \
  " der|die|das|dem|den|eine|einer|einem|ein|meiner|meine|deine? "                                 \
  "neue|neuen|neuer|neues|neuem "                                                                  \
  "aufgabe|anfrage|sache|thema|arbeit|task|projekt|sitzung|auftrag|idee? "
#define ES_NEW " la|el|lo|una|un|mi? nueva|=nuevo tarea|solicitud|petición|tema|trabajo|pedido? "
#define FR_NEW                                                                                     \
  " la|le|une|un|ma|cette? nouvelle|nouveau|nouvel "                                               \
  "tâche|demande|sujet|travail|projet|requête? "
#define PT_NEW " a|o|uma|um|minha|meu? nova|novo tarefa|solicitação|pedido|assunto|trabalho? "
#define IT_NEW " il|la|un|una|mia? nuovo|nuova compito|attività|richiesta|lavoro|argomento|cosa? "
#define RU_NEW                                                                                                     \
  " к|с|на|за? новую|новая|новой|новое|новый|новым|новому|другую " \
  "задачу|задача|задаче|задачей|запрос|запроса|запросу|тему|дело|работу|работа? "

/* An afterthought "from scratch" in each language. */
#define EN_FRESH "fresh|afresh|anew|over|again|new|clean|from_scratch|from_zero|all_over"
#define DE_FRESH "neu|von_vorn|von_vorne|von_null|frisch|ganz_neu|noch_mal_neu|nochmal_neu"
#define ES_FRESH "de_nuevo|de_cero|desde_cero|otra_vez|desde_el_principio"
#define FR_FRESH "à_zéro|de_zéro|depuis_zéro|du_début|depuis_le_début|à_neuf"
#define PT_FRESH "de_novo|do_zero|do_início|do_começo|outra_vez"
#define IT_FRESH "da_capo|da_zero|di_nuovo|dall'inizio"
#define RU_FRESH "заново|сначала|с_начала|с_нуля|с_чистого_листа|по_новой"

#define EN_NOUN " one|option|choice|answer|thing|task|way? "
#define DE_NOUN " option|möglichkeit|variante|antwort|vorschlag|auswahl? "
#define ES_NOUN " opción|alternativa|respuesta? "
#define FR_NOUN " option|choix|possibilité|réponse? "
#define PT_NOUN " opção|alternativa|resposta? "
#define IT_NOUN " opzione|scelta|risposta? "
#define RU_NOUN " вариант|варианта|пункт|ответ? "

/* What may stand before a number that is written out. */
#define NUMBERED                                                                                   \
  "ok|yes|yeah|ja|take|pick|choose|i_take|go_with|i_choose|i_pick|i'll_take|let's_go_with|make_"   \
  "it|nehme|nimm|ich_nehme|elijo|je_prends|scelgo|escolho|wybieram|беру? "                     \
  "number|option|choice|nr|answer|nummer|número|numéro|numero|número|opción|opção|opzione|"  \
  "вариант|номер|optie|numer|opcja|možnost|číslo|seçenek|numara? "

const ChoiceWords ts_choice_words[] = {
    /* English: go on */
    {WORDS_CONTINUE,
     "continue|continuing|resume|resuming working|doing? with|on|in? where_i_was?" EN_WORK},
    {WORDS_CONTINUE, "go|going|carry|carrying on working? with|on?" EN_WORK},
    {WORDS_CONTINUE, "goon|keepgoing"},
    {WORDS_CONTINUE, "keep|keep_on going|working|at|on with|on|at?" EN_WORK},
    {WORDS_CONTINUE, "pick up" EN_WORK "again?"},
    {WORDS_CONTINUE, "pick" EN_WORK "up|back_up again?"},
    {WORDS_CONTINUE,
     "continue|continuing|resume|resuming|pick_up|pick_it_up|pick_that_up|carry_on|keep_going|go_"
     "on "
     "again? from|at? where|there|here we|you|i|it? left|stopped|were|had_left|had_stopped|paused? "
     "off|of? last_time|yesterday|before?"},
    {WORDS_CONTINUE, "start again? from|at? where we|you|i|it left|stopped|were|paused off|of?"},
    {WORDS_CONTINUE_HERE, "from? where we|you|i left|stopped|were|paused off|of?"},
    {WORDS_CONTINUE,
     "continue|resume|finish|go_on_with|go_back_to what|whatever|the_thing we|you|i "
     "were|was|had|started|began "
     "doing|working_on|started|begun?"},
    {WORDS_CONTINUE_HERE, "finish|complete" EN_WORK "first|up?"},
    {WORDS_CONTINUE_HERE, "stick|stay|proceed|go|go_ahead|work with|to|on "
                          "the|that|this|my|our|your "
                          "old|previous|prior|last|current|existing|unfinished|earlier|same|"
                          "original|saved work|task|one|job|thing|project|session|topic?"},
    {WORDS_CONTINUE_HERE, "stick|stay with|on it|that|this"},
    {WORDS_CONTINUE_HERE,
     "go_back|get_back|back|return to the|that|this|my|our? old|previous|prior|last|current|"
     "existing|unfinished|earlier|same|original|saved? work|task|one|job|it|that|this"},
    {WORDS_CONTINUE_HERE, "the|my|our? old|previous|current|existing|unfinished|earlier|same|saved "
                          "work|task|one|job|thing|project|session|topic|stuff"},

    /* English: start fresh */
    {WORDS_FRESH, "start|begin|starting all? " EN_FRESH " again?"},
    {WORDS_FRESH, "startfresh|startover"},
    {WORDS_FRESH, "start|begin|make|have|do a fresh|new|clean start|beginning"},
    {WORDS_FRESH, "start|begin something new|fresh|else|different"},
    {WORDS_FRESH_HERE, "start|begin|open|create|do|work|move on|with|to?" EN_NEW},
    {WORDS_FRESH_HERE, "take|make|pick|use|continue|proceed|go_on|go|go_ahead|move_on "
                       "with|to|on|for?" EN_NEW},
    {WORDS_FRESH_HERE,
     "save|save_away|store|keep|park it|that|this|everything|all|all_that? "
     "the|that|my|this|old|current? old|current|work|task|one? work|task|one? away? and|&|then? "
     "then? "
     "start|begin|switch|work|do|take on|with|to? all? " EN_FRESH
     "|something_new|the_new_one|the_new_task|the_new_request|my_new_request|your_new_request|"
     "my_new_task|the_request|a_new_task|a_new_one|the_new_thing"},
    {WORDS_FRESH_HERE, "save it|that|this|everything|the_work|that_work|the_old_one"},
    {WORDS_FRESH_HERE, "save and switch|start"},
    {WORDS_FRESH_HERE, "switch|switching over? to?" EN_NEW},
    {WORDS_FRESH_HERE, "switch|switching over? tasks|it?"},
    {WORDS_FRESH_HERE, "from scratch|zero"},
    {WORDS_FRESH_HERE, "clean slate|start"},
    {WORDS_FRESH_HERE, "it's|its|it_is|that's|that_is|this_is something new|else|different"},
    {WORDS_FRESH_HERE, "something|anything new|fresh"},
    {WORDS_FRESH_HERE, "it's|it_is|that's|that_is|this_is?" EN_NEW},
    {WORDS_FRESH_HERE,
     "take|treat|handle it|that|this|my_message|your_message|the_message as something? a? "
     "new|something_new|separate|"
     "different task|request|topic|one|thing?"},
    {WORDS_FRESH_HERE, "restart"},

    /* German */
    {WORDS_CONTINUE,
     "weiter|weitermachen|weiterarbeiten|fortfahren|fortsetzen|weiterführen mit|an|bei?" DE_WORK},
    {WORDS_CONTINUE, "mit|an" DE_WORK "weiter|weitermachen|weiterarbeiten|fortfahren"},
    {WORDS_CONTINUE, "damit|daran|dort|da|so weiter|weitermachen|weiterarbeiten|fortfahren"},
    {WORDS_CONTINUE, "mach|mache|machen|arbeite|arbeiten|geh|geht|gehen|führ|führe "
                     "wir|es|sie|das|die|diese? arbeit|aufgabe|sache? damit|daran|dort|da|so? "
                     "weiter damit|daran|so?"},
    {WORDS_CONTINUE, "mach|mache|machen|arbeite|arbeiten wir? mit|an" DE_WORK "weiter"},
    {WORDS_CONTINUE, "setz|setze|setzen|fahr|fahre|fahren wir|sie?" DE_WORK "damit? fort"},
    {WORDS_CONTINUE,
     "weiter|weitermachen|mach_weiter|mache_weiter|machen_wir_weiter|da|dort weitermachen|weiter? "
     "da|dort? wo "
     "wir|ich|du aufgehört|stehengeblieben|stehen_geblieben|waren haben|sind|habe|hast|bin|bist?"},
    {WORDS_CONTINUE_HERE, "die|das|bei der|dem? alte|alten|vorige|vorigen|bisherige|bisherigen|"
                          "aktuelle|aktuellen|angefangene aufgabe|arbeit|sache|task|thema?"},
    {WORDS_CONTINUE, "weiter geht's|so"},
    {WORDS_FRESH, DE_FRESH " anfangen|starten|beginnen|loslegen"},
    {WORDS_FRESH, "fang|fange|fangen|starte|beginne|beginn wir? " DE_FRESH " an?"},
    {WORDS_FRESH, "etwas|was neues anfangen|starten|beginnen"},
    {WORDS_FRESH_HERE, "von vorn|vorne|null"},
    {WORDS_FRESH_HERE, "neuanfang|neustart|neubeginn|wechseln|umsteigen"},
    {WORDS_FRESH_HERE, "es_ist|das_ist? etwas|was neues"},
    {WORDS_FRESH_HERE, "es_ist|das_ist etwas|was anderes"},
    {WORDS_FRESH_HERE, "es_ist|das_ist?" DE_NEW "anfangen|starten|beginnen?"},
    {WORDS_FRESH_HERE, "wechsel|wechsle|wechseln zu|zur|zum" DE_NEW},
    {WORDS_FRESH_HERE, "zu|zur|zum" DE_NEW "wechseln"},
    {WORDS_FRESH_HERE, "speicher|speichere|speichern|sicher|sichern es|das|dies|alles?"},
    {WORDS_FRESH_HERE, "es|das|dies|alles speichern|sichern und|dann? dann? " DE_FRESH
                       "? anfangen|starten|beginnen?"},
    {WORDS_FRESH_HERE,
     "speicher|speichere|speichern|sicher|sichern es|das|dies|alles? und|dann? dann? "
     "fang|fange|starte|beginne? " DE_FRESH " an|anfangen|starten|beginnen?"},

    /* Spanish */
    {WORDS_CONTINUE,
     "continuar|continúa|continúe|continuemos|continuamos|sigue|siga|sigamos|seguir|seguimos|seguí|"
     "prosigue|prosigamos|proseguir|reanudar|reanuda|reanudemos|retomar|retoma|retomemos "
     "trabajando|adelante? con|en?" ES_WORK},
    {WORDS_CONTINUE,
     "continuar|continúa|continuemos|sigue|sigamos|seguir|retomar|retoma? desde|por|en? donde "
     "lo_dejamos|lo_dejaste|lo_dejé|nos_quedamos|quedamos|estábamos|íbamos"},
    {WORDS_FRESH,
     "empezar|empieza|empiece|empecemos|empezamos|comenzar|comienza|comencemos|iniciar|inicia|"
     "arrancar|volver_a_empezar todo? " ES_FRESH
     "|algo_nuevo|con_algo_nuevo|con_lo_nuevo|lo_nuevo"},
    {WORDS_FRESH, "volver a empezar|comenzar"},
    {WORDS_FRESH_HERE, "empezar|empieza|comenzar|comienza|iniciar|inicia|haz|hacer con?" ES_NEW},
    {WORDS_FRESH_HERE, "de|desde cero"},
    {WORDS_FRESH_HERE, "es? algo|lo =nuevo"},
    {WORDS_FRESH_HERE, "es?" ES_NEW},
    {WORDS_FRESH_HERE, "cambiar|cambia|cambiemos|pasar|pasa a|de?" ES_NEW},
    {WORDS_FRESH_HERE, "guardar|guarda|guárdalo|guardarlo eso|esto|todo|el_trabajo?"},
    {WORDS_FRESH_HERE, "guardar|guarda|guárdalo|guardarlo eso|esto|todo|el_trabajo? y "
                       "empezar|empieza|empecemos|comenzar|comienza|comencemos|iniciar " ES_FRESH
                       "|algo_nuevo|con_lo_nuevo|lo_nuevo|la_nueva|con_la_nueva tarea|solicitud?"},

    /* French */
    {WORDS_CONTINUE,
     "continuer|continue|continuez|continuons|reprendre|reprends|reprenez|reprenons|poursuivre|"
     "poursuis|poursuivez|poursuivons avec|sur|dans?" FR_WORK},
    {WORDS_CONTINUE,
     "continuer|continue|continuez|continuons|reprendre|reprends|reprenons|poursuivre? là? où "
     "on_en_était|nous_en_étions|on_s'est_arrêté|on_s'est_arrêtés|on_s'était_arrêté|"
     "nous_nous_sommes_arrêtés|nous_étions"},
    {WORDS_FRESH, "recommencer|recommence|recommencez|recommençons tout? " FR_FRESH "?"},
    {WORDS_FRESH,
     "commencer|commence|commençons|démarrer|repartir|repars|repartez|repartons|partir "
     "tout? " FR_FRESH "|sur_de_nouvelles_bases|quelque_chose_de_nouveau|autre_chose"},
    {WORDS_FRESH_HERE, "nouveau départ"},
    {WORDS_FRESH_HERE, "c'est? quelque_chose_de_nouveau|du_nouveau"},
    {WORDS_FRESH_HERE, "c'est|commencer|commence|démarrer|faire?" FR_NEW},
    {WORDS_FRESH_HERE, "changer|passer|passe|passons à|de?" FR_NEW},
    {WORDS_FRESH_HERE,
     "sauvegarder|sauvegarde|enregistrer|enregistre le|ça|cela|tout|ce_travail|le_travail?"},
    {WORDS_FRESH_HERE,
     "sauvegarder|sauvegarde|enregistrer|enregistre|l'enregistrer le|ça|cela|tout|ce_travail|"
     "le_travail? et puis? recommencer|recommence|repartir|repars|commencer|commence " FR_FRESH
     "|la_nouvelle? demande|tâche?"},

    /* Portuguese */
    {WORDS_CONTINUE,
     "continuar|continua|continue|continuemos|continuamos|seguir|segue|siga|sigamos|prosseguir|"
     "prossiga|prossegue|retomar|retome|retoma em_frente? trabalhando? com|em?" PT_WORK},
    {WORDS_CONTINUE, "continuar|continua|continue|seguir|retomar|retome? de|a_partir_de? onde "
                     "paramos|parámos|parei|estávamos|ficamos|ficámos"},
    {WORDS_FRESH,
     "começar|comece|começa|comecemos|iniciar|inicie|partir tudo? " PT_FRESH "|algo_novo"},
    {WORDS_FRESH, "recomeçar|recomece|recomeça|recomecemos tudo? " PT_FRESH "?"},
    {WORDS_FRESH_HERE, "do zero"},
    {WORDS_FRESH_HERE, "é? algo novo"},
    {WORDS_FRESH_HERE, "é|começar|comece|iniciar|fazer?" PT_NEW},
    {WORDS_FRESH_HERE, "mudar|muda|mude|trocar|troque|passar para|de?" PT_NEW},
    {WORDS_FRESH_HERE, "salvar|salve|salva|guardar|guarde|guarda isso|isto|tudo|o_trabalho?"},
    {WORDS_FRESH_HERE,
     "salvar|salve|salva|guardar|guarde|guarda isso|isto|tudo|o_trabalho? e "
     "começar|comece|começa|recomeçar|recomece|iniciar " PT_FRESH "|algo_novo|o_novo|a_nova? "
     "tarefa|pedido?"},

    /* Italian */
    {WORDS_CONTINUE,
     "continuare|continua|continuiamo|prosegui|proseguire|proseguiamo|riprendi|riprendere|"
     "riprendiamo con|a?" IT_WORK},
    {WORDS_CONTINUE, "vai|andiamo|andare|va avanti con?" IT_WORK},
    {WORDS_CONTINUE,
     "continuare|continua|continuiamo|riprendi|riprendere|riprendiamo? da? dove|dov'eravamo "
     "eravamo|ci_eravamo|siamo|ci_siamo|abbiamo? rimasti|fermati|interrotto|lasciato?"},
    {WORDS_FRESH, "ricominciare|ricomincia|ricominciamo tutto? " IT_FRESH "?"},
    {WORDS_FRESH, "iniziare|inizia|iniziamo|cominciare|comincia|cominciamo|partire|"
                  "ripartire tutto? " IT_FRESH "|qualcosa_di_nuovo|daccapo"},
    {WORDS_FRESH_HERE, "da_capo|da_zero|daccapo"},
    {WORDS_FRESH_HERE, "è? qualcosa di nuovo"},
    {WORDS_FRESH_HERE, "è|inizia|iniziare|comincia|fai?" IT_NEW},
    {WORDS_FRESH_HERE, "passa|passare|passiamo|cambia|cambiare a|al|alla?" IT_NEW},
    {WORDS_FRESH_HERE, "salva|salvare|salvalo|salvarlo tutto|questo|quello|il_lavoro?"},
    {WORDS_FRESH_HERE,
     "salva|salvare|salvalo|salvarlo tutto|questo|quello|il_lavoro? e "
     "inizia|iniziare|comincia|cominciare|ricomincia|ricominciare|riparti|ripartire " IT_FRESH
     "|la_nuova_richiesta|qualcosa_di_nuovo"},

    /* Russian */
    {WORDS_CONTINUE,
     "продолжай|продолжайте|продолжать|продолжи|продолжим|продолжаем|продолжить|продолжаю|"
     "возобнови|возобновить работать|делать?" RU_WORK},
    {WORDS_CONTINUE, "дальше"},
    {WORDS_CONTINUE,
     "продолжай|продолжать|продолжи|продолжим|продолжить с|от? того? места|там? где|на_чем? "
     "мы? остановились|закончили|прервались"},
    {WORDS_CONTINUE_HERE, "старая|старую|старое|прежняя|прежнюю|текущая|текущую задача|"
                          "задачу|работа|работу|дело?"},
    {WORDS_FRESH,
     "начать|начни|начнем|начинай|начинаем|начинать все? " RU_FRESH "|новое|что_то_новое"},
    {WORDS_FRESH, "все? " RU_FRESH " начать|начни|начнем?"},
    {WORDS_FRESH_HERE, "начать|начни|начнем|взять|возьми|делай|это?" RU_NEW},
    {WORDS_FRESH_HERE, "это? что|нечто то? новое"},
    {WORDS_FRESH_HERE, "переключись|переключиться|переключайся|переключаемся|перейти|"
                       "перейди|перейдем" RU_NEW},
    {WORDS_FRESH_HERE, "сохрани|сохранить|сохраняй это|все|работу?"},
    {WORDS_FRESH_HERE, "сохрани|сохранить|сохраняй это|все|работу? и|потом? "
                       "начни|начать|начинай|начнем " RU_FRESH "|новое|новую? задачу?"},

    /* Chinese, both scripts */
    {WORDS_CONTINUE, "继续|繼續|接着|接著|恢复|恢復 做|干|往下做?" ZH_WORK},
    {WORDS_CONTINUE, "从|從|在? 上次|之前|我们|刚才? 中断|停下|停止|离开|停 的? 地方|位置 "
                     "继续|繼續|接着 做|开始?"},
    {WORDS_CONTINUE_HERE, "原来|原來|之前|旧|舊 的 工作|任务|任務|那个?"},
    {WORDS_FRESH,
     "保存|存|先保存? 它|这个|那个|工作|好? 并|后|然后|再|并且|並? 重新|从头|從頭|从零 "
     "开始|開始|来|做|再来|再來"},
    {WORDS_FRESH, "重来|重來|重头开始|重新来过"},
    {WORDS_FRESH_HERE,
     "保存|存|先保存? 它|这个|那个|工作|好? 并|后|然后|再? 开始|開始|做|换|換|切换到|处理|是|开? "
     "一个|一個|个? 新 的? 任务|任務|工作|请求|請求|话题|需求|事情|开始?"},
    {WORDS_FRESH_HERE, "切换|切換|保存|保存它|先保存"},

    /* Japanese */
    {WORDS_CONTINUE,
     "その|この|前の|今の|元の|以前の|さっきの? 作業|仕事|タスク|話|まま? を|の|で? 続き|つづき? "
     "を|から|の|で? 続け|続けて|続ける|続けよう|つづけて|続行|継続|再開 して|する|しよう|します?"},
    {WORDS_CONTINUE,
     "その|この|前の|今の|元の|以前の|さっきの? 作業|仕事|タスク|話? を|の|で? 続き|つづき "
     "から|を|で?"},
    {WORDS_CONTINUE, "中断した|止まった|止めた|前回の ところ|所|続き から "
                     "続け|続けて|続ける|再開 して|する?"},
    {WORDS_CONTINUE_HERE, "前の|元の|今の 作業|仕事|タスク|方|ほう|もの"},
    {WORDS_FRESH,
     "保存して|保存し? 最初から|始めから|初めから|はじめから|一から|ゼロから|新しく|新たに|新規に "
     "始めて|始める|始めよう|はじめる|はじめて|やり直して|やり直す|開始 して|する?"},
    {WORDS_FRESH, "やり直し|やりなおし|やり直して|やり直す"},
    {WORDS_FRESH_HERE, "最初から|始めから|初めから|はじめから|一から|ゼロから|新しく|新規"},
    {WORDS_FRESH_HERE, "保存して? 新しい|新規|新規の 作業|仕事|タスク|依頼|話|こと|もの|方|ほう|の "
                       "を? 始めて|始め|始める|開始|する?"},
    {WORDS_FRESH_HERE, "切り替え|切り替えて|切り替える|保存|保存して"},

    /* A single "new" in any of them. */
    {WORDS_FRESH_HERE,
     "new|fresh|neu|=nuevo|=nueva|nouveau|nouvelle|novo|nova|nuovo|nuova|новое|новый|новая|новую"},

    /* ---- Positions ---- */
    {WORDS_FIRST, "the? first|1st" EN_NOUN},
    {WORDS_SECOND, "the? second|2nd" EN_NOUN},
    {WORDS_THIRD, "the? third|3rd" EN_NOUN},
    {WORDS_LAST, "the? last" EN_NOUN},
    {WORDS_FORMER, "the? =former" EN_NOUN},
    {WORDS_LATTER, "the? =latter" EN_NOUN},
    {WORDS_FIRST, "der|die|das|den? erste|ersten|erstes|erster|erstere|ersteres" DE_NOUN},
    {WORDS_SECOND, "der|die|das|den? zweite|zweiten|zweites|zweiter" DE_NOUN},
    {WORDS_THIRD, "der|die|das|den? dritte|dritten|drittes|dritter" DE_NOUN},
    {WORDS_LAST, "der|die|das|den? letzte|letzten|letztes|=letzter" DE_NOUN},
    {WORDS_LATTER, "der|die|das|den? letztere|letzteren|letzteres|letzterer" DE_NOUN},
    {WORDS_FIRST, "la|el|lo? primera|primero|primer" ES_NOUN},
    {WORDS_SECOND, "la|el|lo? segunda|segundo" ES_NOUN},
    {WORDS_THIRD, "la|el|lo? tercera|tercero|tercer" ES_NOUN},
    {WORDS_LAST, "la|el|lo? última|último" ES_NOUN},
    {WORDS_FIRST, "le|la? premier|première|1er|1ère" FR_NOUN},
    {WORDS_SECOND, "le|la? deuxième|seconde|2e|2ème" FR_NOUN},
    {WORDS_THIRD, "le|la? troisième|3e|3ème" FR_NOUN},
    {WORDS_LAST, "le|la? dernier|dernière" FR_NOUN},
    {WORDS_FIRST, "a|o? primeira|primeiro" PT_NOUN},
    {WORDS_SECOND, "a|o? segunda|segundo" PT_NOUN},
    {WORDS_THIRD, "a|o? terceira|terceiro" PT_NOUN},
    {WORDS_LAST, "a|o? última|último" PT_NOUN},
    /* "prima" and "primo" alone would be German for "great" and Spanish for "cousin". */
    {WORDS_FIRST, "la prima" IT_NOUN},
    {WORDS_FIRST, "prima opzione|scelta|risposta"},
    {WORDS_FIRST, "il primo"},
    {WORDS_SECOND, "la|il? seconda|secondo" IT_NOUN},
    {WORDS_THIRD, "la|il? terza|terzo" IT_NOUN},
    {WORDS_LAST, "l'ultima|l'ultimo|ultima|ultimo" IT_NOUN},
    {WORDS_FIRST, "первый|первая|первое|первую|первого" RU_NOUN},
    {WORDS_SECOND, "второй|вторая|второе|вторую|второго" RU_NOUN},
    {WORDS_THIRD, "третий|третья|третье|третью" RU_NOUN},
    {WORDS_LAST, "последний|последняя|последнее|последнюю" RU_NOUN},
    {WORDS_FIRST, "第 1|一 个|個|项|項|种|種|条|選択肢|の|の方?"},
    {WORDS_SECOND, "第 2|二 个|個|项|項|种|種|条|選択肢|の|の方?"},
    {WORDS_THIRD, "第 3|三 个|個|项|項|种|種|条|選択肢|の|の方?"},
    {WORDS_FIRST, "1|一 番|番目|つ目|つめ の|の方|のほう|の選択肢?"},
    {WORDS_SECOND, "2|二 番|番目|つ目|つめ の|の方|のほう|の選択肢?"},
    {WORDS_THIRD, "3|三 番|番目|つ目|つめ の|の方|のほう|の選択肢?"},
    {WORDS_FIRST, "最初 の|の方|のほう|の選択肢?"},
    {WORDS_LAST, "最后|最後 一|の? 个|個|项|項|方|ほう|選択肢?"},
    {WORDS_FORMER, "前者"},
    {WORDS_LATTER, "后者|後者"},

    /* ---- Around an answer ---- */
    {WORDS_LEAD,
     "option|options|opt|choice|number|nr|num|nummer|answer|letter|variant|alternative|=point|i|"
     "i'd|i'll|i'm|let's|let_us|let_me|we|we'll|we'd|we_should|you|you_can|you_could|you_may|"
     "can_you|could_you|can_we|could_we|would|will|choose|choosing|pick|picking|go_with|going_with|"
     "go_for|going_for|going_to|gonna|take|taking|select|selecting|say|prefer|rather|want|want_you|"
     "like|like_you|vote_for|choice_is|answer_is|my_choice_is|my_answer_is|my_pick_is|it's|to|do|"
     "just|please|kindly|ok|"
     "okay|k|yes|yeah|yep|yup|yea|ya|sure|alright|all_right|right|well|fine|good|great|cool|"
     "perfect|"
     "hmm|hm|um|uh|oh|ah|hi|hey|hello|then|so|i_think|i_guess|go_ahead_and|for_now|thanks|"
     "thank_you"},
    {WORDS_LEAD,
     "antwort|variante|auswahl|möglichkeit|ich|wir|lass_uns|lasst_uns|lass|nimm|nehme|nehmen|wähle|"
     "wähl|wählen|will|wollen|möchte|möchten|würde|würde_gern|gern|gerne|lieber|bitte|ja|jo|jep|"
     "klar|"
     "gut|na_gut|also|dann|doch|einfach|die|der|das|den|für|ich_bin_für"},
    {WORDS_LEAD,
     "opción|la_opción|el|la|lo|respuesta|elijo|escojo|prefiero|quiero|quisiera|me_gustaría|vamos_"
     "a|"
     "vamos_con|por_favor|sí|si|vale|bueno|bien|claro|de_acuerdo|entonces|mejor|yo|número|puedes|"
     "quiero_que"},
    {WORDS_LEAD,
     "l'option|le|choix|réponse|je|choisis|prends|préfère|veux|je_voudrais|j'aimerais|voudrais|"
     "on_va|allons|s'il_te_plaît|s'il_vous_plaît|oui|ouais|d'accord|bon|bien|alors|plutôt|numéro|"
     "tu_"
     "peux|vous_pouvez|on|peut|vas_y|peux_tu|de"},
    {WORDS_LEAD,
     "opção|a_opção|o|resposta|escolho|prefiro|quero|gostaria_de|queria|vamos|pode|podes|por_favor|"
     "sim|tá|tá_bom|certo|claro|então|melhor|eu|vou_de|fico_com|que"},
    {WORDS_LEAD,
     "opzione|l'opzione|il|risposta|scelgo|preferisco|voglio|vorrei|per_favore|sì|va_bene|certo|"
     "allora|meglio|io|puoi|direi|numero|facciamo"},
    {WORDS_LEAD,
     "вариант|ответ|пункт|номер|опция|давай|давайте|пусть|я|мы|хочу|хотим|хотел_бы|хотела_бы|"
     "выбираю|выберу|выбери|предпочитаю|лучше|да|ага|ок|окей|хорошо|ладно|ну|тогда|пожалуйста|"
     "можешь|можно|просто|под"},
    {WORDS_LEAD,
     "请|請|我|我们|我們|咱们|想|要|想要|选|選|选择|選擇|选项|選項|就|那|那就|还是|好|好的|是的|是|"
     "对|"
     "嗯|行|可以|答案|方案|用|让我们|讓我們|麻烦|麻煩|你|帮我|給我|给我|先"},
    {WORDS_LEAD,
     "はい|ええ|うん|では|じゃあ|じゃ|それでは|選択肢|オプション|答えは|私は|やっぱり|やはり|番号"},
    {WORDS_LEAD_NO,
     "no|nope|nah|nee|nein|non|não|nao|нет|不|不是|不用|いいえ|いや|no_thanks|no_thank_you"},
    {WORDS_TAIL,
     "please|pls|plz|thanks|thank_you|thx|ty|cheers|option|choice|then|now|for_now|for_me|it_is|"
     "instead|is_fine|is_good|is_better|is_best|is_great|works|works_for_me|sounds_good|sounds_"
     "better|"
     "looks_good|would_be_good|would_be_great|would_be_best|would_be_better|i_think|i_guess|i_say|"
     "ok|okay|yes|right|sure|first"},
    {WORDS_TAIL,
     "bitte|danke|gerne|gern|dann|jetzt|einfach|lieber|ja|passt|ist_gut|ist_besser|wäre_gut|nehmen|"
     "wählen|mal"},
    {WORDS_TAIL, "por_favor|porfa|gracias|entonces|ahora|mejor|sí|está_bien|está_bem"},
    {WORDS_TAIL, "s'il_te_plaît|s'il_vous_plaît|svp|stp|merci|alors|maintenant|plutôt|oui|ça_ira"},
    {WORDS_TAIL, "obrigado|obrigada|então|agora|sim|pfv"},
    {WORDS_TAIL, "per_favore|grazie|allora|adesso|ora|sì|va_bene"},
    {WORDS_TAIL, "пожалуйста|спасибо|тогда|сейчас|лучше|да|давай|плиз"},
    {WORDS_TAIL,
     "吧|了|啊|哦|呀|呢|嘛|谢谢|謝謝|就好|就行|即可|好了|方案|选项|可以|的|好|为|这个|那个"},
    {WORDS_TAIL,
     "で|でお願いします|でお願い|お願いします|お願い|おねがいします|おねがい|ください|下さい|"
     "にします|"
     "にする|にして|を選びます|を選ぶ|をお願いします|がいい|がいいです|です|で頼む|頼む|します|"
     "する|"
     "して|"
     "しましょう|しよう|ね|よ|よろしく|ましょう|ます|たい|たいです"},
    {WORDS_POLITE, "please|pls|plz|just|simply|bitte|einfach|mal|doch|"
                   "пожалуйста|просто"},
    {WORDS_UNDECIDED,
     "no|nope|nah|nay|neither|none|nothing|both|either|any|all|whichever|whatever|wait|later|"
     "unsure|"
     "undecided|huh|pardon|neither_one|none_of|both_of|either_of|any_of|all_of|not_sure|not_yet|"
     "not_now|no_idea|hold_on|hang_on|one_moment|one_sec|one_second|a_moment|a_sec|a_second|a_"
     "minute|"
     "let_me_think|let_me_see|give_me|gimme|i_don't_know|don't_know|dunno|idk|i_don't_care|"
     "don't_care|i_don't_mind|you_choose|you_decide|your_choice|up_to_you|doesn't_matter|"
     "it_depends|depends|not_that|not_this|not_these|not_those|not_either|neither_of|cancel_that"},
    {WORDS_UNDECIDED,
     "of_them|of_those|of_these|of_the_above|of_the_two|the_above|them|those|these|one_of_them|"
     "for_me|yet|two|really|at_all|thing|options|the_options|moment|sec|second|minute|a_bit|"
     "a_little|about_it"},
    {WORDS_UNDECIDED,
     "nein|nö|nee|nicht|keins|keines|keine|keinen|keiner|weder_noch|beides|beide|egal|warte|wart|"
     "warten|moment|moment_mal|augenblick|sekunde|später|noch_nicht|weiß_nicht|weiß_ich_nicht|"
     "ich_weiß_nicht|ich_weiß_es_nicht|keine_ahnung|nichts|nichts_davon|alles|von_beiden|davon|"
     "der_beiden|von_den_beiden|such_dir_was_aus|entscheide_du|du_entscheidest"},
    {WORDS_UNDECIDED,
     "no_sé|no_lo_sé|ni_idea|ninguna|ninguno|ninguna_de|ninguno_de|ambas|ambos|las_dos|los_dos|"
     "cualquiera|da_igual|me_da_igual|espera|espere|un_momento|un_segundo|luego|después|más_tarde|"
     "todavía_no|aún_no|nada|todo|tú_decides|ni_una_ni_otra|de_las_dos|de_los_dos|de_ellas|de_"
     "ellos"},
    {WORDS_UNDECIDED,
     "non|aucun|aucune|aucun_des_deux|aucune_des_deux|ni_l'un_ni_l'autre|ni_l'une_ni_l'autre|les_"
     "deux|"
     "peu_importe|n'importe|n'importe_lequel|attends|attendez|attend|un_instant|une_seconde|une_"
     "minute|"
     "plus_tard|pas_encore|pas_maintenant|je_ne_sais_pas|je_sais_pas|j'sais_pas|aucune_idée|bof|"
     "rien|"
     "tout|à_toi_de_choisir|comme_tu_veux"},
    {WORDS_UNDECIDED,
     "não|nao|nenhum|nenhuma|nenhum_dos_dois|nenhuma_das_duas|ambos|os_dois|as_duas|tanto_faz|"
     "qualquer|qualquer_um|espera|espere|um_momento|um_segundo|mais_tarde|depois|ainda_não|não_sei|"
     "sei_lá|nada|tudo|você_decide"},
    {WORDS_UNDECIDED,
     "nessuno|nessuna|nessuno_dei_due|nessuna_delle_due|né_l'uno_né_l'altro|entrambi|entrambe|"
     "tutti_"
     "e_"
     "due|tutte_e_due|è_uguale|fa_lo_stesso|aspetta|un_attimo|un_momento|più_tardi|dopo|non_ancora|"
     "non_so|non_lo_so|boh|niente|decidi_tu"},
    {WORDS_UNDECIDED,
     "нет|не|ни_то_ни_другое|ни_то_ни_то|ни_один|ни_одна|ни_одно|ни_одного|никакой|никакое|оба|обе|"
     "обоих|и_то_и_другое|все_равно|без_разницы|любой|любое|подожди|подождите|погоди|погодите|стой|"
     "постой|минуту|минутку|секунду|потом|позже|пока_нет|еще_нет|не_знаю|хз|ничего|решай_сам|из_"
     "них"},
    {WORDS_UNDECIDED, "❌|👎|🚫|✖|✗|✘"},
    {WORDS_UNDECIDED,
     "不|不要|都不|都不是|都不要|两个都不|都不行|两个都|兩個都|都要|都|都行|都可以|随便|隨便|等等|"
     "等一下|"
     "等下|等一等|稍等|待会|一会儿|不知道|不确定|再说|你决定|没想好|还没想好"},
    {WORDS_UNDECIDED,
     "いいえ|いや|どちらでもない|どちらでもありません|どっちでもない|どっちも|どちらも|両方|"
     "どちらでも|"
     "どっちでも|どちらでもいい|どっちでもいい|待って|ちょっと待って|待ってください|少々|後で|"
     "あとで|まだ|"
     "分からない|わからない|分かりません|わかりません|未定"},
    {WORDS_UNDECIDED,
     "nie|żadne|żadna|żaden|oba|obie|obojętnie|czekaj|poczekaj|chwila|chwileczkę|później|nie_wiem|"
     "ne|nic|žádná|žádný|obojí|počkej|počkejte|moment|nevím|hayır|hiçbiri|ikisi_de|bekle|"
     "bilmiyorum|"
     "nee|geen|geen_van_beide|allebei|wacht|weet_ik_niet|ні|жодного|жодна|жоден|обидва|зачекай|"
     "не_знаю|아니|아니요|아뇨|둘다|둘|다|아무거나|잠깐|잠깐만|잠시만요|기다려|몰라|모르겠어|"
     "모르겠어요|"
     "لا|كلاهما|انتظر|لا_أعرف|नहीं|nahi|दोनों|dono|रुको|ruko"},
    {WORDS_FRESH, "shuru_se|phir_se|fir_se|naye_sire_se|शुरू_से|फिर_से|नए_सिरे_से "
                  "karte_hain|karo|karen|kar_do|karenge|करते_हैं|करो|करें|कर_दो|करेंगे"},
    {WORDS_CONTINUE, "继续|繼續|接着 做|干|弄? 下去"},
    {WORDS_FIRST, "첫 번째요|번째로요"},
    {WORDS_SECOND, "두 번째요|번째로요"},
    {WORDS_FIRST, "첫번째요|첫째요"},
    {WORDS_SECOND, "두번째요|둘째요"},
    {WORDS_FIRST, "pierwszą|pierwszej|pierwszego|první|prvou|prvního|birincisi|birincisini"},
    {WORDS_SECOND, "drugą|drugiej|drugiego|druhou|druhý|druhého"},
    {WORDS_JOIN, "tylko|lecz|nýbrž|maar_wel|al_contrario|au_contraire|solo|sino|sondern"},
    {WORDS_JOIN, "and|or|plus|nor|but|und|oder|y|o|u|e|et|ou|ed|и|или|и_или|和|"
                 "与|跟|或|或者|と|か|または|&|+|i|lub|a|ve|veya|en|of|та|або|와|"
                 "과|or_both|and_or|then"},
    {WORDS_BACK, "i'm|i_am|am|we're|we_are? now? back now|again|online? "},
    {WORDS_BACK, "back again|now|online? "},
    {WORDS_BACK, "here again|now? "},
    {WORDS_BACK, "i'm|i_am|we're|we_are here|there again|now? "},
    {WORDS_BACK, "i'm|i_am? at my desk|computer|keyboard again|now? "},
    {WORDS_BACK, "i've|i_have? returned again|now? "},
    {WORDS_BACK, "ich_bin|bin|wir_sind|sind? jetzt|nun? wieder|zurück da|hier|zurück|online?"},
    {WORDS_BACK, "da|hier bin ich wieder?"},
    {WORDS_BACK,
     "ya? estoy|estamos|he aquí|de_vuelta|de_regreso|de_nuevo|otra_vez|vuelto aquí|ahora?"},
    {WORDS_BACK, "ya? volví|regresé|he_vuelto|he_regresado|volvimos"},
    {WORDS_BACK,
     "je_suis|on_est|me|nous_sommes? revenu|revenue|revenus|de_retour|revoilà|revoici|là"},
    {WORDS_BACK,
     "já? voltei|regressei|voltamos|estou_de_volta|tô_de_volta|estou_aqui de_novo|agora?"},
    {WORDS_BACK, "sono|siamo tornato|tornata|tornati|di_nuovo_qui|qui|rientrato|rientrata ora?"},
    {WORDS_BACK, "я|мы? снова|опять|уже? "
                 "вернулся|вернулась|вернулись|тут|здесь|на_связи|на_месте|пришел|пришла"},
    {WORDS_BACK, "我|我们|我們? 又? 回来|回來|回到|在 了|啦?"},
    {WORDS_BACK, "ただいま|戻りました|戻った|戻ってきました|帰りました|いま戻りました"},
    {WORDS_BACK, "wróciłem|wróciłam|jestem|jsem|už z_powrotem|już|zpátky|tady|zpět?"},
    {WORDS_CONSENT,
     "yes|yeah|yep|yup|yea|yah|ok|okay|okey|k|kk|sure|alright|all_right|fine|right|correct|agreed|"
     "absolutely|definitely|of_course|no|nope|nah|not|ja|jo|jep|jap|klar|gut|gerne|nein|nee|sí|si|"
     "vale|"
     "bueno|claro|oui|ouais|ok_pour|d'accord|bien_sûr|non|sim|certo|tá|tá_bom|sì|va_bene|да|ага|ок|"
     "окей|"
     "хорошо|ладно|конечно|нет|не|好|好的|好吧|好啊|是|是的|对|嗯|行|可以|不|はい|ええ|うん|いいえ|"
     "いいよ|네|예|응|그래|tak|nie|jasne|ano|jo|jojo|ne|evet|tamam|hayır|goed|prima|так|ні|نعم|لا|"
     "हां|"
     "haan|ji"},

    /* ---- English, more of it ---- */
    {WORDS_CONTINUE, "get|getting back? going|moving|back_to_it|back_to_work|on_with_it"},
    {WORDS_CONTINUE, "on|onward|onwards with" EN_WORK},
    {WORDS_CONTINUE_HERE,
     "we|i|you|it weren't|wasn't|aren't|isn't|haven't|hasn't|not done|finished|through|ready yet?"},
    {WORDS_CONTINUE_HERE, "still? the? same task|one|thing|work|job|topic|again"},
    {WORDS_CONTINUE_HERE, "as before|planned|it_was"},
    {WORDS_CONTINUE_HERE, "proceed|proceeding with " EN_WORK},
    {WORDS_CONTINUE_HERE,
     "continue|continuing|resume|resuming|proceed|go_on|carry_on|keep_going|finish|back|go_back|on|"
     "stick|stay with|on|to? the|that|this|our|my? @task work|task|job|stuff?"},
    {WORDS_CONTINUE_HERE, "the|that|my|our @task first?"},
    {WORDS_FRESH_HERE, "start|starting|begin|beginning with|on|from? a? clean|blank|new|fresh "
                       "slate|sheet|page|canvas"},
    {WORDS_FRESH_HERE, "a? clean|blank|new|fresh slate|sheet|page|canvas|beginning"},
    {WORDS_FRESH_HERE, "reset|restarting|afresh|anew|fresh"},
    {WORDS_FRESH_HERE,
     "save|saving|store|park|archive|shelve|stash|stow" EN_WORK "away|first|for_later|for_now?"},
    {WORDS_FRESH_HERE,
     "put|pack|set|stow|tuck|lay|file" EN_WORK
     "away|aside|by|down|on_ice|on_the_shelf|on_hold|in_storage for_now|for_later?"},
    {WORDS_FRESH_HERE, "forget|drop|leave|stop|stop_with|quit|enough_of|enough_with|done_with "
                       "the|that? old one|task|work|stuff|thing"},
    {WORDS_DROP, "throw|chuck|toss it|the|that|this|all|everything? whole|entire? "
                 "work|task|job|thing|project|lot|of_it? away|out|overboard"},
    {WORDS_CONTINUE_HERE, "forget|drop|leave the|that|my? new one|task|request|thing|message"},
    {WORDS_OTHER, "the? other|opposite one|option|way|choice?"},
    {WORDS_ASK,
     "can|could|would|will|may|let|shall_we|should_we|how_about|what_about|why_don't_we"},
    {WORDS_LEAD,
     "shall_we|should_we|how_about|why_don't_we|still|rather|would_rather|better|also|definitely|"
     "absolutely|certainly|of_course|by_all_means|either_way|and|why_not|hit|press|it's_gotta_"
     "be|gotta|be|got_to|have_to|we_need_to|need_to|i_need_to|sorry|oops|actually|honestly|tbh|"
     "good_morning|morning|let|us|one_more_time|letter|key|button|number|the_one"},
    {WORDS_TAIL,
     "go_ahead|go_for_it|do_it|do_that|that's_it|all_right|alright|pal|mate|buddy|man|dude|friend|"
     "again|today|now_please|right_away|asap|immediately|i'd_say|for_sure|definitely|of_course|"
     "would_be_nice|if_you_can|if_possible|if_you_don't_mind|my_friend|any_time|good|great|cool|"
     "fine|lol|haha|it's|is_it|wins|is_what_i_want|it'll_be|button"},
    {WORDS_NOT, "don't|do_not|don't_want_to|do_not_want_to|don't_wanna|wouldn't|would_not|won't|"
                "will_not|not|not_to|never|no_need_to|no_need_for|no_need|no|no_more|rather_not|"
                "instead_of|anything_but|without|stop"},
    {WORDS_UNDECIDED,
     "skip|skip_it|skip_this|pass|next|option|hmm|hm|um|uh|meh|eh|what|why|who|hard_to_say|tough_"
     "one|good_"
     "question|no_clue|no_preference|dont_know|i_dunno|i_have_no_idea|can't_decide|cannot_decide|"
     "can't_say|not_sure|i'm_not_sure|i_am_not_sure|in_that_order|in_this_order|at_once|at_the_"
     "same_time|one_after_the_other|the_same|same_to_me|all_the_same|surprise_me|maybe|perhaps|a_"
     "bit_of_both|half_and_half|back_soon|brb|in_a_bit|in_a_minute|tomorrow|another_time|ask_me_"
     "later|later_maybe|wait_a_moment|wait_a_minute|wait_a_sec|just_a_moment|just_a_second|just_a_"
     "minute|choose_for_me|pick_one|what_do_you_think|your_call|as_you_like|as_you_wish"},
    {WORDS_UNDECIDED, "not both|the_other|the_other_one|the_other_option|the_other_way please?"},
    {WORDS_NEITHER, "neither of_them|of_those|of_these|of_the_two|one? thanks?"},
    {WORDS_NEITHER, "none|not of|any_of|either_of them|those|these|the_above|the_two|that"},
    {WORDS_NEITHER, "something|anything else|different|completely_different|entirely_different "
                    "entirely|altogether|completely?"},
    {WORDS_NEITHER, "not? either one|of_them|of_those?"},
    {WORDS_DROP, "never_mind|nevermind|nvm"},
    {WORDS_DROP, "drop|forget|cancel|scrap|ditch|abandon|kill|discard|bin|trash|scratch|abort|"
                 "delete about? the|that|this|all|both|it? the|whole|entire|all? "
                 "it|that|this|everything|task|work|job|thing|project|lot|both of_it|of_that? "
                 "completely|entirely|altogether|for_good|please|then?"},
    {WORDS_DROP, "drop|forget|cancel|scrap|ditch|abandon|kill|discard|bin|trash|abort|leave|stop "
                 "about|with|doing? the|that|this|all|our? whole|entire|all? @task "
                 "completely|entirely|altogether|for_good?"},
    {WORDS_DROP, "call|calling|let it|that|this|the_whole_thing|everything off|go|be"},
    {WORDS_DROP, "give|giving up on? it|that|this|everything?"},
    {WORDS_DROP, "we|i|you don't|do_not|won't|no_longer need|want|do it|that|this|them|any_of_it "
                 "any_more|anymore|any_longer|at_all?"},
    {WORDS_DROP, "it's|it_is|that's|that_is|this_is|the_task_is|the_whole_thing_is? "
                 "cancelled|off|dead|obsolete|over needed|necessary|relevant|any_more|anymore?"},
    /* "not" alone gives nothing up: "not both", "not today". */
    {WORDS_DROP, "it's|it_is|that's|that_is|this_is|the_task_is|the_whole_thing_is? "
                 "no_longer|not needed|necessary|relevant any_more|anymore?"},
    {WORDS_DROP, "it's|it_is|that's|that_is|this_is|the_task_is|the_whole_thing_is? "
                 "not any_more|anymore"},
    {WORDS_DROP, "don't bother with_it|any_more|anymore?"},
    {WORDS_BUT,
     "and|but|because|cause|cuz|cos|since|although|though|however|only|except|unless|until|then|so|"
     "this_time|also|while|plus|as|if|when|after|before|i|we|you|please|keep"},
    {WORDS_WITH, "with|using|on|for|in|without|by|as"},
    {WORDS_JOIN, "then|afterwards|instead|i_mean|rather|or_rather|so|now|as_well"},

    /* ---- German ---- */
    {WORDS_CONTINUE, "dran_bleiben|dranbleiben|bleib_dran|bleiben_wir_dran|bleibe_dran|weiter_so|"
                     "auf_geht's|los_geht's_weiter"},
    {WORDS_CONTINUE, "weiter|weitermachen|weiter_machen|weiterarbeiten "
                     "geht's|gehts|geht_es|im_text|wie_bisher|wie_gehabt|wo_wir_waren"},
    {WORDS_CONTINUE, "lass|lasst uns|mich? da|dort|damit? weitermachen|weiterarbeiten|fortfahren "
                     "wo? wir? waren|aufgehört_haben?"},
    {WORDS_CONTINUE,
     "weitermachen|weiter|fortfahren da|dort? wo wir waren|aufgehört_haben|stehengeblieben_sind"},
    {WORDS_CONTINUE, "mach|mache|machen|arbeite|geh|weiter|weitermachen|fortfahren wir? da|dort? "
                     "weiter|weitermachen? da|dort? wo wir|ich|du|sie "
                     "waren|warst|war|stehen|standen|sind|aufgehört|stehengeblieben|stehen_"
                     "geblieben haben|hast|habe|bist|sind?"},
    {WORDS_CONTINUE_HERE,
     "beim|bei|mit|die|das|dem? alten|alte|angefangenen|bisherigen bleiben|weiter?"},
    {WORDS_CONTINUE_HERE, "weiter|weitermachen|zurück mit|an|zu der|die|den|dem|das? @task"},
    {WORDS_CONTINUE_HERE, "erst|zuerst das|die|den? alte|alten fertig|fertigmachen?"},
    {WORDS_CONTINUE_HERE, "das|es|die_sache? fertig fertig|machen|bringen|stellen?"},
    {WORDS_FRESH, "fang|fange|fangen|starte|starten|start|beginne|beginnen|beginn "
                  "wir|ich|nochmal|lieber? " DE_FRESH " an|los?"},
    {WORDS_FRESH,
     "noch_mal|nochmal|nochmals|ganz|komplett " DE_FRESH " anfangen|starten|beginnen|loslegen?"},
    {WORDS_FRESH_HERE, "speicher|speichere|speichern|sicher|sichere|sichern|abspeichern" DE_WORK
                       "ab|erst_mal|erstmal?"},
    {WORDS_FRESH_HERE, "leg|lege|legen|pack|packe|packen|räum|räume|stell|stelle|heb|hebe" DE_WORK
                       "weg|beiseite|zur_seite|ab|auf|auf_eis|in_die_ablage"},
    {WORDS_FRESH_HERE,
     DE_WORK "weglegen|beiseitelegen|ablegen|archivieren|aufheben|zurückstellen|parken"},
    {WORDS_OTHER, "der|die|das|den? andere|anderen|anderes option|variante|möglichkeit?"},
    {WORDS_ASK, "kannst|könntest|können|könnten|darf|sollen|würdest"},
    {WORDS_LEAD, "ok|hallo|hi|moin|guten_tag|guten_morgen|ach|ah|äh|hm|nun|na|ganz|klar|natürlich|"
                 "unbedingt|auf_jeden_fall|eher|besser|am_besten|und|kannst_du|könntest_du|können_"
                 "wir|könnten_wir|bin_für|option|nummer|den_fall|buchstabe|taste|entscheide_mich_"
                 "für|sollen_wir|wir_wollen|wir_sollten"},
    {WORDS_TAIL,
     "bitte_schön|bitteschön|dankeschön|vielen_dank|danke_dir|danke_schön|los|halt|eben|wieder|an|"
     "klar|genau|sofort|gleich|heute|ok|okay|wäre_mir_lieber|ist_mir_lieber|ist_richtig|die_option|"
     "nehme_ich|nehmen_wir|natürlich|bin_ich_für|ist_es|das_wäre_gut|das_wäre_super|super"},
    {WORDS_NOT,
     "nicht|nicht_mehr|kein|keine|keinen|keinesfalls|auf_keinen_fall|statt|anstatt|nie|bloß_nicht|"
     "mach_nicht|fang_nicht|geh_nicht|ich_will_nicht|wir_wollen_nicht|nicht_nötig|ohne"},
    {WORDS_UNDECIDED,
     "überspringen|überspring_das|hmm|hm|tja|naja|weiss_nicht|keine_ahnung|kein_plan|weiß_noch_"
     "nicht|schwer_zu_sagen|gute_frage|beides_nacheinander|nacheinander|in_der_reihenfolge|mal_"
     "sehen|vielleicht|moment_bitte|gleich_wieder_da|wie_du_willst|wie_du_meinst|was|warum|wieso|"
     "hä|morgen|später_vielleicht|eins_davon|ist_mir_egal|mir_egal|ist_egal|einen_moment|eine_"
     "sekunde|kurz_warten|jein|weder|noch|oder"},
    {WORDS_NEITHER, "weder_noch|weder_das_eine_noch_das_andere|keins_von_beiden|keines_von_beiden|"
                    "keine_von_beiden|keins_davon|nichts_davon|beides_nicht|keines|keins"},
    {WORDS_NEITHER, "etwas|was ganz|völlig|komplett? anderes"},
    {WORDS_DROP, "vergiss|vergessen|streich|streiche|verwirf|verwerfen|storniere|stornieren|cancel|"
                 "lösch|kipp|beende wir? es|das|die|den|alles? ganze|gesamte|komplette? "
                 "alles|sache|aufgabe|projekt|arbeit? einfach|ganz|komplett|bitte?"},
    {WORDS_DROP, "vergiss|vergessen|streich|streiche|verwirf|storniere|cancel|kipp|lass|beende "
                 "wir? die|das|den|diese? ganze|gesamte|komplette? @task sein|bleiben?"},
    {WORDS_DROP, "lass|lasst|lassen wir|uns? es|das|die_sache? "
                 "ganz|einfach|mal|lieber|jetzt|doch|komplett? sein|bleiben|gut_sein|stecken"},
    {WORDS_DROP, "lass|lassen wir? es|das|gut"},
    {WORDS_DROP, "hat|das_hat|es_hat|die_sache_hat sich erledigt"},
    {WORDS_DROP, "brauchen|brauche|brauch|wollen|machen|will wir|ich? das|es|die_sache? "
                 "nicht_mehr|gar_nicht_mehr|doch_nicht"},
    {WORDS_DROP, "das|es wird|ist|brauchen_wir|brauche_ich|braucht_keiner|machen_wir "
                 "nicht_mehr|doch_nicht|hinfällig|vom_tisch|gestorben|abgesagt gebraucht|nötig?"},
    {WORDS_DROP, "abbrechen|abbruch|brich_ab|brich_das_ab|brich_es_ab|aufhören|alles_abbrechen|hör_"
                 "auf_damit|nicht_mehr_nötig|schluss_damit|ich_gebe_auf"},
    {WORDS_BUT, "und|aber|weil|denn|da|damit|obwohl|jedoch|nur|außer|diesmal|dieses_mal|dann|dabei|"
                "allerdings|sowie|wenn|sobald|bis|ich|wir|mir"},
    {WORDS_WITH, "mit|für|auf|in|ohne|nur"},
    {WORDS_JOIN, "und|dann|danach|sondern|lieber|stattdessen|also|doch"},

    /* ---- Spanish ---- */
    {WORDS_CONTINUE, "seguí|dale|continuá|seguimos|siga|seguid|continuad|sigamos|prosigue "
                     "nomás|nomas|adelante|así|igual|con_eso|con_lo_de_antes|con_lo_anterior|con_"
                     "lo_que_estábamos|con_la_tarea|en_eso|donde_estábamos"},
    {WORDS_CONTINUE, "sigamos|seguimos|sigue|seguir|continuar|continúa|continuemos|vamos|retomemos|"
                     "retomar|retoma con|a? lo de? antes|anterior|otro|siempre"},
    {WORDS_CONTINUE_HERE,
     "la|el|lo? misma|mismo|vieja|viejo|anterior|antigua|pendiente|de_antes tarea|trabajo|tema?"},
    {WORDS_CONTINUE_HERE, "lo de antes"},
    {WORDS_CONTINUE_HERE,
     "terminar|termina|terminemos|acabar|acabemos|acaba lo|la|el|eso que? "
     "empezamos|teníamos|habíamos_empezado|pendiente|anterior|de_antes|tarea|trabajo?"},
    {WORDS_CONTINUE_HERE,
     "continuar|continúa|sigue|sigamos|seguir|volver|volvamos|retomar con|a la|el|las|los? @task"},
    {WORDS_FRESH,
     "empezar|empieza|empiece|empieces|empecemos|empezamos|comenzar|comienza|comencemos|iniciar|"
     "inicia|arrancar|arranca|arrancamos|arranquemos|partir|partamos|volver_a_empezar|volvamos_a_"
     "empezar todo? " ES_FRESH "|desde_el_inicio|limpio|algo_nuevo|otra_cosa"},
    {WORDS_FRESH_HERE, "borrón_y_cuenta_nueva|de_nuevo|desde_cero|empezar_otra|nuevo_comienzo|"
                       "reiniciar|reinicia|otra_nueva"},
    {WORDS_FRESH_HERE, "guardar|guarda|guárdalo|guardarlo|guardá|guardala|guárdala|archiva|"
                       "archívalo|archivar|aparca|deja|dejar eso|esto|todo|lo|la|el? "
                       "viejo|vieja|anterior|trabajo|tarea|que_hay? guardado|aparte|a_un_lado?"},
    {WORDS_OTHER, "la|el|lo otra|otro opción?"},
    {WORDS_ASK, "puedes|podemos|podrías|puede|podés|podrían"},
    {WORDS_LEAD,
     "hola|buenas|buenos_días|pues|ok|okay|venga|dale|con|la_opción|opción|una|mejor_si|creo_que|"
     "yo_elijo|yo_quiero|me_quedo_con|vamos|hay_que|y|podemos|puedo|podrías|prefiero_la|prefiero_"
     "el|quiero_la|elijo_la|letra|claro_que_sí|sí_claro|no_,|es_mejor|vamos_por"},
    {WORDS_TAIL, "porfis|por_fa|muchas_gracias|graciasss|vale|ok|nomás|nomas|nada_más|mismo|ya|"
                 "pues|hombre|claro|ahora_mismo|de_inmediato|te_lo_agradezco|está_bien|es_mejor|me_"
                 "parece_bien|siempre|eso|dale"},
    {WORDS_NOT, "no|no_quiero|no_queremos|no_hace_falta|no_es_necesario|no_hay_que|nada_de|mejor_"
                "no|en_vez_de|en_lugar_de|tampoco|sin|nunca"},
    {WORDS_UNDECIDED,
     "no_estoy_seguro|no_estoy_segura|quién_sabe|quizás|tal_vez|a_lo_mejor|ni_idea|como_quieras|lo_"
     "que_quieras|tú_eliges|mmm|eh|omitir|saltar|paso|salta|las_dos_cosas|ambas_cosas|en_ese_orden|"
     "una_y_otra|qué|por_qué|cómo|mañana|un_rato|momento|me_es_igual|es_igual|da_lo_mismo|lo_mismo|"
     "difícil_decir|buena_pregunta|o"},
    {WORDS_NEITHER, "ninguna|ninguno de? las|los|ellas|ellos? dos?"},
    {WORDS_NEITHER, "ni|ni_la|ni_lo una|uno|a ni la|lo? otra|otro|b"},
    {WORDS_NEITHER, "otra|alguna? cosa distinta|diferente|completamente_distinta?"},
    {WORDS_NEITHER, "algo distinto|diferente|más"},
    {WORDS_DROP, "déjalo|dejalo|déjala|dejala|déjelo|dejarlo|dejémoslo|olvídalo|olvidalo|olvídelo|"
                 "olvidate|olvídate|cancélalo|cancelalo|cancela|cancelar|anula|anular|anúlalo|"
                 "descártalo|descarta|abandona|abandonar|abandónalo "
                 "así|ya|estar|todo|eso|esto|el_proyecto|la_tarea|de_eso|de_todo|de_ello?"},
    {WORDS_DROP, "olvida|olvidemos|olvídate|olvidate|deja|dejemos|cancela|cancelemos|cancelar|"
                 "anula|descarta|abandona de|con? eso|esto|todo|el|la|las|los toda|todo|entera? "
                 "tarea|trabajo|proyecto|asunto|tema|eso?"},
    {WORDS_DROP, "olvida|olvidemos|olvídate|olvidate|deja|dejemos|cancela|cancelemos|anula|"
                 "descarta|abandona de|con? toda|todo? el|la|las|los? @task"},
    {WORDS_DROP, "ya no "
                 "hace_falta|es_necesario|lo_necesito|lo_necesitamos|la_necesito|lo_quiero|importa|"
                 "vale_la_pena|se_hace|lo_vamos_a_hacer|sirve más?"},
    {WORDS_DROP, "no_importa|da_igual_ya|ya_fue|me_rindo"},
    {WORDS_BUT, "y|pero|porque|esta_vez|aunque|solo|sólo|ya_que|pues|que|así_que|entonces|además|"
                "excepto|salvo|cuando|si|hasta|necesito|quiero"},
    {WORDS_WITH, "con|para|en|usando|sin"},
    {WORDS_JOIN, "y|luego|después|sino|mejor|entonces|e"},

    /* ---- French ---- */
    {WORDS_CONTINUE,
     "on|nous|tu|vous? "
     "continue|continuons|continues|continuez|poursuit|poursuivons|reprend|reprends|avance|"
     "enchaîne ça|cela|là-dessus|comme_ça|avec_ça|le_travail|la_tâche|comme_avant|comme_prévu?"},
    {WORDS_CONTINUE,
     "reprenons|reprendre|reprends|on_reprend|reprenez|continuons|continue|on_continue "
     "là|d'où|de|à|au_point? où on|nous|tu|c' en? "
     "était|étions|étais|s'est_arrêté|s'était_arrêtés|avait_laissé|a_laissé|s'arrête"},
    {WORDS_CONTINUE_HERE,
     "le|la|l'|celle|celui|les? même|ancien|ancienne|précédent|précédente|premier_travail|d'avant "
     "tâche|travail|sujet|chose?"},
    {WORDS_CONTINUE_HERE,
     "finir|finis|finissons|terminer|termine|terminons d'abord? ce|ça|cela|le|la|l'|cette? "
     "travail|tâche|ancien|ancienne|qu'on_a_commencé|qu'on_avait_commencé|d'abord?"},
    {WORDS_CONTINUE_HERE, "continuer|continue|continuons|reprendre|reprenons|retour|revenons|"
                          "revenir avec|sur|à|aux? le|la|les? @task"},
    {WORDS_FRESH, "on|nous|tu|vous? "
                  "recommence|recommençons|repart|repartons|redémarre|recommences|recommencez|"
                  "repars|repartez|recommencer|repartir|redémarrer tout|plutôt? " FR_FRESH
                  "|de_rien|du_départ|sur_une_base_saine|sur_de_bonnes_bases?"},
    {WORDS_FRESH,
     "on|nous? commence|commençons|démarre|démarrons|commencer|démarrer tout? " FR_FRESH
     "|autre_chose|une_nouvelle_tâche|quelque_chose_de_nouveau|du_neuf"},
    {WORDS_FRESH_HERE, "à_zéro|de_zéro|page_blanche|nouvelle_page|table_rase|on_passe_à_autre_"
                       "chose|du_neuf|à_neuf|reset"},
    {WORDS_FRESH_HERE,
     "sauvegarder|sauvegarde|sauvegardez|enregistrer|enregistre|enregistrez|enregistrons|archive|"
     "archiver|range|garde|mets|mettre|sauve ça|cela|tout|le|la|l'|ce? "
     "vieux|ancien|ancienne|travail|tâche|tout|en? de_côté|côté|pour_plus_tard|d'abord?"},
    {WORDS_OTHER, "l'autre option|choix|solution?"},
    {WORDS_OTHER, "le|la|l autre"},
    {WORDS_ASK, "peux|pouvez|peut|pourrais|pourriez|pouvons|on_peut"},
    {WORDS_LEAD, "bonjour|salut|coucou|euh|hum|ok|okay|ben|bah|eh_bien|ah|allez|je_préfère|je_"
                 "prends|je_choisis|je_veux|j'opte_pour|va_pour|pour|la|les|choix|l'|mieux_vaut|"
                 "autant|il_faut|faut|et|en_fait|tout_compte_fait|finalement|bien_sûr|lettre|on_va|"
                 "tu_peux|nous|mieux|ce_sera|plutôt_la|plutôt_le"},
    {WORDS_TAIL,
     "merci_beaucoup|merci_bien|ok|okay|voilà|tout_de_suite|s'il_vous_plait|s'il_te_plait|stp|bien_"
     "sûr|c'est_mieux|c'est_bon|donc|bien|pardi|moi|quoi|va|c'est_parti|en_route|à_nouveau"},
    {WORDS_NOT, "ne|n'|n|pas|pas_de|pas_la_peine_de|inutile_de|plus|surtout_pas|je_ne_veux_pas|on_"
                "ne|au_lieu_de|sans|jamais|ne_pas"},
    {WORDS_NOT_AFTER, "pas|plus|jamais"},
    {WORDS_UNDECIDED,
     "passer|passe|je_passe|sauter|j'hésite|bof|mouais|euh|hein|quoi|pourquoi|aucune_importance|ça_"
     "m'est_égal|c'est_égal|comme_vous_voulez|à_vous_de_voir|à_toi_de_voir|difficile_à_dire|bonne_"
     "question|dans_cet_ordre|l'un_ou_l'autre|l'un_puis_l'autre|peut-être|peut_être|demain|plus_"
     "tard_peut-être|un_moment|je_reviens|chais_pas|chépas|sais_pas|j'en_sais_rien|pas_sûr|pas_"
     "sûre|pas_encore_sûr|ou"},
    {WORDS_NEITHER, "ni l'un|l'une|a|le_premier|la_première ni l'autre|b|le_second|la_seconde"},
    {WORDS_NEITHER, "aucun|aucune des|de_ces? deux?"},
    {WORDS_NEITHER, "aucun_des_deux|aucune_des_deux|autre_chose|tout_autre_chose|quelque_chose_d'"
                    "autre|rien_de_tout_ça|rien_de_ça"},
    {WORDS_DROP, "laisse|laissez|laissons tomber|béton|ça|courir|tout|tout_tomber "
                 "ça|tout|l'affaire|complètement|maintenant?"},
    {WORDS_DROP, "oublie|oubliez|oublions|annule|annulez|annuler|abandonne|abandonnez|abandonner|"
                 "abandonnons|arrête|arrêtez|arrêtons|stoppe|supprime "
                 "ça|cela|tout|l'ensemble|le_projet|la_tâche|le_travail|toute_la_tâche|cette_"
                 "histoire? complètement|pour_de_bon?"},
    {WORDS_DROP, "oublie|oubliez|oublions|annule|annulez|abandonne|abandonnez|laisse_tomber|arrête "
                 "toute|tout? le|la|les|l'|cette|ces? @task"},
    {WORDS_DROP, "plus besoin|la_peine|nécessaire|d'actualité de_ça?"},
    {WORDS_DROP,
     "on|je|nous n'en|n'a|n'ai|en|ne_le|ne|n'avons|a|ai|n' a|ai|avons|fait|fera? plus besoin?"},
    {WORDS_DROP, "tant_pis|laisse_béton|ce_n'est_plus_la_peine|c'est_annulé|c'est_plus_la_peine|ça_"
                 "ne_sert_plus_à_rien|j'abandonne|tout_est_annulé"},
    {WORDS_BUT, "et|mais|car|parce|cette_fois|puisque|seulement|sauf|puis|alors|comme|pour|quand|"
                "si|je|j'ai|il_me_faut|en|juste"},
    {WORDS_WITH, "avec|sur|pour|en|sans|cette_fois"},
    {WORDS_JOIN, "et|puis|ensuite|alors|plutôt|mais|donc|et_puis|après"},

    /* ---- Portuguese ---- */
    {WORDS_CONTINUE,
     "bora|vamos|vamo|partiu? continuar|seguir|continua|continue|segue|tocar|prosseguir|retomar "
     "em_frente|o_barco|daí|de_onde_parou|de_onde_paramos|de_onde_a_gente_parou|com_isso|nisso|"
     "assim|na_mesma|o_trabalho|a_tarefa?"},
    {WORDS_CONTINUE_HERE,
     "a|o? mesma|mesmo|velha|velho|antiga|antigo|anterior tarefa|trabalho|coisa|assunto?"},
    {WORDS_CONTINUE_HERE, "terminar|termina|termine|acabar|acaba|terminemos o|a|isso? que? "
                          "começamos|começou|estava|trabalho|tarefa|anterior|primeiro?"},
    {WORDS_CONTINUE_HERE, "continuar|continua|continue|voltar|volta|volte|vamos_voltar|retomar "
                          "com|aos|às|ao|à|a|para? o|a|os|as? @task"},
    {WORDS_FRESH, "começar|comece|começa|comecemos|começamos|iniciar|inicie|inicia|partir|"
                  "recomeçar|recomeça|recomece|recomeçamos tudo? " PT_FRESH
                  "|outro|outra|algo_novo|um_novo|uma_nova|outra_coisa|limpo|desde_o_início"},
    {WORDS_FRESH_HERE, "um? novo começo|início"},
    {WORDS_FRESH_HERE,
     "salvar|salve|salva|guardar|guarde|guarda|grava|gravar|arquiva|arquivar|deixa|deixar|põe|"
     "coloca isso|isto|tudo|o|a|aquilo? trabalho|tarefa|antigo|antiga|velho|velha|que_tem? "
     "aí|de_lado|guardado|para_depois|pra_depois?"},
    {WORDS_OTHER, "a|o outra|outro opção?"},
    {WORDS_ASK, "pode|podes|podemos|poderia|dá_pra|consegue"},
    {WORDS_LEAD, "oi|olá|bom_dia|boa_tarde|ok|beleza|blz|tá_bem|pois|é|vou|vou_com|escolho_a|"
                 "prefiro_a|quero_a|a|opção|letra|acho_que|bora|vamos_lá|e|podemos|melhor_a|com_"
                 "certeza|hum|na_verdade|então_vamos"},
    {WORDS_TAIL, "por_gentileza|pf|valeu|vlw|obrigadão|muito_obrigado|muito_obrigada|mesmo|aí|já|"
                 "ok|beleza|tá_bom|é_melhor|pode_ser|melhor|logo|hoje|assim"},
    {WORDS_NOT,
     "não|nao|não_quero|não_precisa|não_precisamos|nada_de|em_vez_de|sem|nem|nunca|melhor_não"},
    {WORDS_UNDECIDED, "pular|pula|passo|passa|sei_não|não_tenho_certeza|talvez|como_quiser|você_"
                      "que_sabe|tu_decides|hum|hein|quê|o_quê|por_quê|amanhã|os_dois_nessa_ordem|"
                      "nessa_ordem|as_duas_coisas|difícil_dizer|boa_pergunta|qualquer_uma|qualquer_"
                      "coisa|peraí|pera|calma|um_instante|já_volto|dá_no_mesmo|ou|e"},
    {WORDS_NEITHER, "nenhum|nenhuma das|dos|de? duas|dois?"},
    {WORDS_NEITHER, "nem um|uma|a nem outro|outra|b"},
    {WORDS_NEITHER, "outra_coisa|algo_diferente|algo_mais|nada_disso"},
    {WORDS_DROP, "esquece|esqueça|esqueçam|deixa|deixe|cancela|cancele|cancelar|anula|anule|"
                 "descarta|descarte|abandona|abandone|abandonar|larga|para "
                 "isso|tudo|pra_lá|para_lá|quieto|o_projeto|a_tarefa|o_trabalho|com_isso?"},
    {WORDS_DROP, "esquece|esqueça|cancela|cancele|anula|descarta|abandona|larga|deixa "
                 "toda|todo|tudo? o|a|os|as|essa|esse? @task"},
    {WORDS_DROP,
     "não|já_não precisa|precisamos|preciso|vale|vamos|quero|é "
     "mais|mais_nada|mais_disso|mais_fazer_isso|mais_preciso|mais_necessário disso|fazer|a_pena?"},
    {WORDS_DROP, "deixa_pra_lá|deixa_quieto|deixa_estar|deixa_para_lá|não_importa_mais|desisto|já_"
                 "não_é_preciso"},
    {WORDS_BUT, "e|mas|porque|pois|dessa_vez|desta_vez|desta|dessa|só|embora|porém|exceto|quando|"
                "se|até|que|então|agora|preciso|quero"},
    {WORDS_WITH, "com|para|em|usando|sem|pra"},
    {WORDS_JOIN, "e|depois|então|mas|sim|melhor|em_seguida"},

    /* ---- Italian ---- */
    {WORDS_CONTINUE, "continua|continuare|continuiamo|prosegui|proseguiamo|proseguire|procedi|"
                     "procediamo|riprendi|riprendiamo "
                     "pure|così|avanti|con_quello|con_questo|quello|con_lo_stesso|come_prima|col_"
                     "lavoro|da_lì|da_qui?"},
    {WORDS_CONTINUE, "vai|andiamo|andare|va|vada avanti pure? con? "
                     "quello|questo|quella|questa|il_lavoro|il_vecchio|la_vecchia|lo_stesso|così?"},
    {WORDS_CONTINUE_HERE,
     "lo|la|il|quella|quello? stesso|stessa|vecchio|vecchia|precedente|di_prima "
     "lavoro|compito|attività|cosa?"},
    {WORDS_CONTINUE_HERE, "finire|finiamo|finisci|terminare|terminiamo|termina prima? "
                          "quello|questo|il_lavoro|ciò|la_vecchia|il_vecchio? "
                          "che_abbiamo_iniziato|che_avevamo_iniziato|iniziato|prima?"},
    {WORDS_CONTINUE_HERE, "continua|continuiamo|continuare|torniamo|torna|tornare|riprendi "
                          "con|a|alla|al|ai|alle|agli|le|i? i|le|il|la? @task"},
    {WORDS_FRESH, "ricominciare|ricomincia|ricominciamo|ripartire|riparti|ripartiamo|riiniziare|"
                  "ripartirei tutto? " IT_FRESH "|dall'inizio|da_capo|con_qualcosa_di_nuovo?"},
    {WORDS_FRESH,
     "iniziare|inizia|iniziamo|cominciare|comincia|cominciamo|partire|partiamo tutto? " IT_FRESH
     "|qualcosa_di_nuovo|una_cosa_nuova|altro|un'altra_cosa|da_capo"},
    {WORDS_FRESH_HERE, "foglio_bianco|pagina_nuova|nuovo_inizio|un_nuovo_inizio|voltiamo_pagina"},
    {WORDS_FRESH_HERE,
     "salva|salvare|salvalo|salvarlo|salviamo|archivia|archiviare|metti|mettere|mettilo|conserva "
     "tutto|questo|quello|il|la|via? vecchio|vecchia|lavoro|attività|tutto? "
     "via|da_parte|da_parte_tutto|per_dopo?"},
    {WORDS_OTHER, "l'altra|l'altro opzione|scelta?"},
    {WORDS_ASK, "puoi|possiamo|potresti|può|potremmo"},
    {WORDS_LEAD, "ciao|buongiorno|ok|okay|beh|ecco|dunque|la|lo|le|opzione|lettera|vorrei_la|"
                 "prendo|prendo_la|scelgo_la|preferisco_la|direi_la|certo|certamente|sicuramente|e|"
                 "bisogna|dobbiamo|meglio_la|possiamo|vogliamo|piuttosto|anzi|penso_che"},
    {WORDS_TAIL, "grazie_mille|prego|ok|okay|pure|dai|così|subito|oggi|va|va_benissimo|è_meglio|"
                 "meglio|per_piacere|per_cortesia|cortesemente"},
    {WORDS_NOT, "non|non_voglio|non_vogliamo|non_serve|non_c'è_bisogno_di|niente|invece_di|senza|"
                "mai|meglio_non|nessun"},
    {WORDS_UNDECIDED,
     "salta|saltare|passo|mah|boh|uhm|ehm|chissà|forse|non_sono_sicuro|non_sono_sicura|come_vuoi|"
     "fai_tu|scegli_tu|uno_dei_due|una_delle_due|in_quest'ordine|entrambe_le_cose|difficile_dirlo|"
     "bella_domanda|è_lo_stesso|indifferente|che_cosa|cosa|perché|domani|un_secondo|un_minuto|"
     "aspetta_un_attimo|torno_subito|o"},
    {WORDS_NEITHER, "nessuno|nessuna dei|delle|di? due|loro?"},
    {WORDS_NEITHER, "né l'uno|l'una|a né l'altro|l'altra|b"},
    {WORDS_NEITHER,
     "qualcos'altro|altro|tutt'altro|un'altra_cosa|qualcosa_di_diverso|niente_di_tutto_ciò"},
    {WORDS_DROP, "lascia|lasciamo|lasci stare|perdere|andare tutto|pure?"},
    {WORDS_DROP, "dimentica|dimentichiamo|scorda|scordiamoci|scordatelo|dimenticalo|annulla|"
                 "annulliamo|annullare|abbandona|abbandoniamo|abbandonare|elimina|cancella|"
                 "cancelliamo|molla|ferma|scarta|scartalo|annullalo "
                 "tutto|questo|quello|il_lavoro|il_progetto|l'attività|la_cosa|tutto_quanto?"},
    {WORDS_DROP, "dimentica|dimentichiamo|scorda|annulla|annulliamo|abbandona|cancella|lascia_"
                 "perdere|lascia_stare|molla tutta|tutto? il|la|le|i|gli|l'? @task"},
    {WORDS_DROP,
     "non serve|ci_serve|importa|occorre|lo_facciamo|ne_abbiamo|ne_ho|lo_voglio più bisogno?"},
    {WORDS_DROP,
     "fa_niente|pazienza|mi_arrendo|non_fa_niente|non_se_ne_fa_più_niente|non_se_ne_fa_nulla"},
    {WORDS_BUT, "e|ma|però|perché|stavolta|questa_volta|solo|tranne|anche|quando|se|poi|che|dato|"
                "visto|ho|mi_serve|voglio"},
    {WORDS_WITH, "con|per|su|usando|senza|stavolta"},
    {WORDS_JOIN, "e|poi|dopo|ma|bensì|allora|meglio|anzi|invece"},

    /* ---- Russian ---- */
    {WORDS_CONTINUE, "продолжаем|продолжай|продолжи|продолжим|продолжать|продолжайте|продолжу "
                     "в_том_же_духе|дальше|работу|с_того_же_места|по_старой|по_старой_задаче|"
                     "старую|старое|начатое|как_раньше|то_же?"},
    {WORDS_CONTINUE, "продолжай|продолжим|продолжаем|продолжить|продолжи|возобнови с|со "
                     "того|этого|прежнего|старого? же? места|момента"},
    {WORDS_CONTINUE, "давай|давайте|идем|иди|пошли|поехали дальше по|с|со|над? "
                     "старой|старым|этой|прежней|той? задаче|задачей|теме|делу|этому?"},
    {WORDS_CONTINUE_HERE,
     "ту|та|то? же? самую|самая|старую|старая|прежнюю|начатое|предыдущую|предыдущее "
     "задачу|задача|работу|дело?"},
    {WORDS_CONTINUE_HERE,
     "закончи|закончим|доделай|доделаем|доделать|закончить|завершим|завершить сначала? "
     "это|начатое|то|старое|старую|что? задачу|работу|начали|делали?"},
    {WORDS_CONTINUE_HERE,
     "продолжай|продолжим|продолжить|вернись|вернемся|вернуться|назад с|к|над|по? @task"},
    {WORDS_FRESH,
     "начни|начать|начнем|начинай|начинаем|начинать|начните|запусти|стартуем лучше|все? " RU_FRESH
     "|новое|новую|что-то_новое|другое"},
    {WORDS_FRESH, "лучше? " RU_FRESH " начать|начни|начнем?"},
    {WORDS_FRESH_HERE, "перезапуск|сброс|новое_начало|по_новому|новый_старт"},
    {WORDS_FRESH_HERE,
     "сохрани|сохранить|сохраняй|сохраните|отложи|отложим|убери|заархивируй|спрячь|запиши "
     "это|все|работу|старое|старую|прежнее|то? работу|задачу|в_сторону|в_архив|на_потом|пока?"},
    {WORDS_OTHER, "другой|другое|другая|другую|второй_же|иной вариант|ответ|пункт?"},
    {WORDS_ASK, "можешь|можете|можно|можем|мог_бы|могли_бы"},
    {WORDS_LEAD, "привет|здравствуй|здравствуйте|добрый_день|значит|так|конечно|думаю|наверное|"
                 "пожалуй|скорее|нужно|надо|буду|будем|возьму|беру|выбор|за|буква|и|в_общем|в_"
                 "таком_случае|можем|мог_бы|лучше_уж"},
    {WORDS_TAIL, "плз|пж|спс|благодарю|спасибо_большое|ок|хорошо|ладно|уж|тогда_уж|сразу|сегодня|"
                 "конечно|будет_лучше|наверное|подойдет|пойдет|думаю|работу|же"},
    {WORDS_NOT,
     "не|не_надо|не_нужно|не_хочу|не_хотим|не_будем|не_стоит|незачем|вместо|без|никогда|только_не"},
    {WORDS_UNDECIDED,
     "пропусти|пропустить|пропуск|пас|хм|эм|ну|не_уверен|не_уверена|не_определился|затрудняюсь|"
     "может_быть|возможно|как_хочешь|как_скажешь|на_твое_усмотрение|выбери_сам|решай|все_равно_что|"
     "мне_все_равно|пофиг|и_то_и_то|оба_варианта|сначала_одно_потом_другое|в_таком_порядке|сложно_"
     "сказать|хороший_вопрос|что|чего|почему|завтра|не_сейчас|попозже|секундочку|минуточку|или"},
    {WORDS_NEITHER, "ни то|а|первое|одно|один ни другое|то|б|второе|другой"},
    {WORDS_NEITHER, "никакой|никакое|ни_один|ни_одно|ни_одного из? них|этих|двух?"},
    {WORDS_NEITHER, "что_то_другое|что_нибудь_другое|другое_дело|ничего_из_этого|ни_то_ни_се|нечто_"
                    "другое|совсем_другое"},
    {WORDS_DROP, "не_надо|не_нужно|забудь|забудьте|забей|брось|бросаем|бросай|отмени|отменить|"
                 "отменяем|отмена|отбой|хватит|прекрати|прекращаем|оставь|выкинь|удали "
                 "об_этом|про_это|это|все|это_дело|эту_задачу|задачу|работу|весь_проект|проект|уже|"
                 "больше|ничего|совсем?"},
    {WORDS_DROP, "забудь|отмени|отменяем|отменить|бросай|бросаем|брось|выкинь|забей "
                 "об|про|на|весь|всю|все? @task"},
    {WORDS_DROP, "больше|уже не надо|нужно|нужна|нужен|актуально|хочу|будем"},
    {WORDS_DROP, "это? "
                 "не_актуально|неактуально|уже_не_надо|больше_не_нужно|не_нужно_больше|сдаюсь|"
                 "проехали|неважно|не_важно"},
    {WORDS_BUT, "и|а|но|потому|только|на_этот_раз|в_этот_раз|этот_раз|теперь|однако|хотя|если|"
                "когда|чтобы|кроме|потом|мне|я|так_как|ведь"},
    {WORDS_WITH, "с|со|на|для|без|используя|в"},
    {WORDS_JOIN, "и|а|потом|затем|но|лучше|или_лучше|тогда"},

    /* ---- Ukrainian ---- */
    {WORDS_CONTINUE,
     "продовжуй|продовжити|продовжимо|продовжуємо|продовжуйте|продовжувати|продовжи|продовжім "
     "цю|ту|стару|попередню|роботу|далі? роботу|задачу|завдання|з_того_місця|над_цим?"},
    {WORDS_CONTINUE, "давай|ходімо|йдемо|поїхали|рухаємось|їдемо? далі"},
    {WORDS_CONTINUE_HERE, "те|та|ту|старе|стара|стару|попереднє|попередню|попередня саме? "
                          "завдання|робота|роботу|задачу?"},
    {WORDS_CONTINUE_HERE, "закінчимо|закінчи|доробимо|завершимо|доробити|закінчити спочатку? "
                          "це|те|старе|почате|що_почали? завдання|роботу?"},
    {WORDS_FRESH, "почни|почати|почнемо|починай|починаємо|розпочни|розпочнемо краще|все? "
                  "заново|знову|спочатку|з_початку|з_нуля|наново|нове|щось_нове|з_чистого_аркуша"},
    {WORDS_FRESH_HERE,
     "заново|з_нуля|спочатку|наново|з_чистого_аркуша|нове|нову|новий|новий_початок"},
    {WORDS_FRESH_HERE, "нове|нову|новий завдання|задачу|запит|тему"},
    {WORDS_FRESH_HERE, "збережи|зберегти|зберігай|збережіть|відклади|відкладемо|заархівуй "
                       "це|те|все|роботу|старе|стару? роботу|завдання|задачу|на_потім|поки?"},
    {WORDS_FIRST, "перший|перша|перше|першу|першого варіант|пункт|відповідь?"},
    {WORDS_SECOND, "другий|друга|друге|другу|другого варіант|пункт|відповідь?"},
    {WORDS_THIRD, "третій|третя|третє|третю варіант|пункт?"},
    {WORDS_LAST, "останній|остання|останнє|останню варіант?"},
    {WORDS_OTHER, "інший|інша|інше|іншу варіант?"},
    {WORDS_ASK, "можеш|можете|можна|можемо"},
    {WORDS_LEAD, "варіант|відповідь|пункт|номер|давай|давайте|хай|нехай|я|ми|хочу|хочемо|обираю|"
                 "вибираю|оберу|краще|так|ага|добре|гаразд|ну|тоді|будь_ласка|можеш|привіт|вітаю|"
                 "дякую|звісно|мабуть|думаю|буду|та|і|візьму|беру|літера"},
    {WORDS_LEAD_NO, "ні|нє"},
    {WORDS_TAIL,
     "будь_ласка|дякую|тоді|зараз|краще|так|давай|добре|гаразд|звісно|думаю|одразу|сьогодні"},
    {WORDS_POLITE, "будь_ласка|просто"},
    {WORDS_NOT, "не|не_треба|не_потрібно|не_хочу|не_будемо|замість|без"},
    {WORDS_UNDECIDED,
     "ні|ні_те_ні_інше|обидва|обидві|обоє|і_те_і_інше|байдуже|все_одно|без_різниці|будь_який|будь_"
     "що|не_знаю|хтозна|зачекай|зачекайте|хвилинку|секунду|пізніше|потім|не_зараз|може|мабуть|"
     "пропусти|хм|що|чому|завтра|вирішуй_сам|як_хочеш|важко_сказати|нічого|або|чи"},
    {WORDS_NEITHER, "ні те|а|одне|перше ні інше|те|б|друге"},
    {WORDS_NEITHER, "жоден|жодна|жодне|жодного|жодну|щось_інше з? них|цих|двох?"},
    {WORDS_DROP,
     "не_треба|не_потрібно|забудь|забудьте|кинь|кидай|облиш|скасуй|скасувати|скасовуємо|відміни|"
     "відміна|годі|досить|припини про_це|це|все|цю_задачу|завдання|проєкт|роботу|більше|вже?"},
    {WORDS_DROP, "забудь|скасуй|відміни|кидай|облиш про|всю|весь|усе? @task"},
    {WORDS_DROP, "більше|вже не треба|потрібно|потрібна|актуально"},
    {WORDS_BUT,
     "і|й|та|а|але|бо|тому|цього_разу|тільки|лише|хоча|однак|якщо|коли|щоб|крім|потім|мені|тепер"},
    {WORDS_WITH, "з|із|на|для|без|цього_разу"},
    {WORDS_JOIN, "і|й|та|а|потім|але|або|чи|краще|тоді"},
    {WORDS_BACK, "я|ми? знову|вже? повернувся|повернулася|повернулись|тут|на_зв'язку|на_місці"},
    {WORDS_CONSENT, "так|ні|ага|добре|гаразд|звісно|не"},

    /* ---- Polish ---- */
    {WORDS_CONTINUE, "kontynuuj|kontynuować|kontynuujmy|kontynuujemy|kontynuujcie|kontynuowałbym "
                     "tę|to|tą|z|nad|poprzednią|starą|dalej? "
                     "poprzednią|starą|tą|tym|pracę|zadanie? pracę|zadanie|pracą|zadaniem?"},
    {WORDS_CONTINUE, "dalej|jedziemy_dalej|idziemy_dalej|lecimy_dalej|rób_dalej|róbmy_dalej|jedź_"
                     "dalej|działaj_dalej|działamy_dalej|wznów|wznówmy|wznowić|wracamy_do_tego|"
                     "wróćmy_do_tego|wróć_do_tego|ciągnij_dalej"},
    {WORDS_CONTINUE_HERE, "ta|tę|to|tamto|stara|starą|stare|poprzednia|poprzednią|poprzednie "
                          "sama|samo|samą|praca|pracę|zadanie"},
    {WORDS_CONTINUE_HERE, "dokończ|dokończmy|skończmy|skończ|dokończyć najpierw? "
                          "to|stare|co|tę|zaczęte? zaczęliśmy|zadanie|pracę?"},
    {WORDS_FRESH, "zacznij|zacząć|zacznijmy|zaczynamy|zaczynaj|rozpocznij|rozpocznijmy|startuj "
                  "wszystko|lepiej|to? "
                  "od_nowa|na_nowo|od_początku|od_zera|jeszcze_raz|coś_nowego|nowe|z_czystą_kartą|"
                  "z_czystym_kontem|na_świeżo"},
    {WORDS_FRESH_HERE,
     "od_nowa|od_zera|od_początku|na_nowo|nowe|nowy|nowa|nową|czysta_karta|nowy_początek|reset"},
    {WORDS_FRESH_HERE, "nowe|nowy|nowa|nową zadanie|temat|sprawa|sprawę|prośba|prośbę"},
    {WORDS_FRESH_HERE,
     "zapisz|zapisać|zapiszmy|zachowaj|zachować|odłóż|odłóżmy|zarchiwizuj|schowaj "
     "to|wszystko|pracę|stare|starą|tamto? pracę|zadanie|na_bok|na_później?"},
    {WORDS_FIRST,
     "pierwszy|pierwsza|pierwsze|pierwszą|pierwszego opcja|opcję|wariant|wybór|odpowiedź?"},
    {WORDS_SECOND, "drugi|druga|drugie|drugą|drugiego opcja|opcję|wariant|wybór|odpowiedź?"},
    {WORDS_THIRD, "trzeci|trzecia|trzecie|trzecią opcja|opcję?"},
    {WORDS_LAST, "ostatni|ostatnia|ostatnie|ostatnią opcja|opcję?"},
    {WORDS_OTHER, "ta|ten|tę|to? druga_opcja|inna|inny|inną opcja|opcję?"},
    {WORDS_ASK, "możesz|możemy|mógłbyś|mogłabyś|można"},
    {WORDS_LEAD,
     "opcja|opcję|wariant|odpowiedź|numer|wybieram|wybierz|biorę|wolę|chcę|chciałbym|chciałabym|"
     "chcemy|proszę|tak|dobra|dobrze|ok|no|no_to|to|niech|lepiej|raczej|jasne|hej|cześć|dzień_"
     "dobry|ja|my|możesz|możemy|poproszę|oczywiście|a|i|więc|zatem|litera"},
    {WORDS_LEAD_NO, "nie"},
    {WORDS_TAIL, "proszę|dzięki|dziękuję|poproszę|teraz|ok|dobra|dobrze|tak|będzie_lepiej|może_być|"
                 "jasne|od_razu|dzisiaj|bardzo_proszę|pls"},
    {WORDS_POLITE, "proszę|po_prostu"},
    {WORDS_NOT, "nie|nie_trzeba|nie_chcę|nie_chcemy|nie_musisz|zamiast|bez|tylko_nie"},
    {WORDS_UNDECIDED,
     "nie|żadne|żadna|żaden|żadnej|oba|obie|obydwa|jedno_i_drugie|i_to_i_to|wszystko_jedno|"
     "obojętnie|bez_różnicy|dowolne|czekaj|poczekaj|chwila|chwileczkę|momencik|moment|później|"
     "potem|nie_wiem|nie_mam_pojęcia|nie_jestem_pewien|nie_jestem_pewna|może|pomiń|pas|hmm|co|"
     "dlaczego|jutro|ty_zdecyduj|jak_chcesz|trudno_powiedzieć|nic|lub|albo|czy|nie_teraz"},
    {WORDS_NEITHER, "ani to|jedno|a|pierwsze ani to|drugie|tamto|b"},
    {WORDS_NEITHER,
     "żadne|żadna|żaden|żadnego|żadnej|coś_innego|co_innego z? nich|tych|dwóch|powyższych?"},
    {WORDS_DROP, "daj|dajmy spokój|sobie_spokój|sobie_z_tym_spokój z_tym?"},
    {WORDS_DROP, "nieważne|zapomnij|zostaw|zostawmy|porzuć|porzućmy|anuluj|anulować|anulujmy|"
                 "odwołaj|przerwij|rezygnuję|rezygnujemy|wyrzuć|odpuść|odpuśćmy "
                 "o_tym|to|wszystko|z_tego|całość|to_zadanie|sobie|zadanie|projekt|z_tym?"},
    {WORDS_DROP, "zapomnij|anuluj|porzuć|odwołaj|zostaw|rezygnuję|rezygnujemy|odpuść o|z|ze? "
                 "całą|cały|całe|wszystkie|wszystkich|te|tych|tej? @task"},
    {WORDS_DROP, "już|więcej nie trzeba|potrzeba|potrzebuję|potrzebujemy|potrzebne|chcę|aktualne"},
    {WORDS_DROP, "nie trzeba|potrzeba|potrzebuję|potrzebujemy już tego?"},
    {WORDS_BUT, "i|a|ale|bo|ponieważ|tym_razem|tylko|jednak|chociaż|oraz|jeśli|gdy|kiedy|żeby|"
                "potem|teraz|lecz|oprócz|potrzebuję"},
    {WORDS_WITH, "z|ze|na|dla|bez|w|tym_razem"},
    {WORDS_JOIN, "i|a|potem|ale|oraz|lepiej|tylko|lub|albo|następnie"},
    {WORDS_BACK, "już? jestem|wróciłem|wróciłam|jesteśmy|wróciliśmy z_powrotem|już|znowu|znów?"},
    {WORDS_CONSENT, "tak|nie|jasne|dobra|dobrze|oczywiście|pewnie"},

    /* ---- Czech ---- */
    {WORDS_CONTINUE,
     "pokračuj|pokračovat|pokračujme|pokračujeme|pokračujte|pokračoval_bych v|ve|s|dál|dále? "
     "tom|té|tím|staré|starém|práci|úkolu|předchozím|předchozí? práci|úkolu|úkolem?"},
    {WORDS_CONTINUE, "dál|jedeme_dál|jdeme_dál|pojďme_dál|navaž|navázat|navážeme|naváž|zpátky_k_"
                     "tomu|vraťme_se_k_tomu|vrať_se_k_tomu|jeď_dál|dělej_dál"},
    {WORDS_CONTINUE_HERE,
     "ten|ta|to|tu|stejný|stejná|starý|starou|staré|původní|předchozí samý|úkol|práci|práce|věc"},
    {WORDS_CONTINUE_HERE, "dokonči|dokončit|dokončeme|dodělej|dodělejme|dodělat nejdřív|napřed? "
                          "to|starý|co? úkol|práci|jsme_začali|začaté?"},
    {WORDS_FRESH,
     "začni|začít|začněme|začneme|začínáme|začněte|začínej raději|radši|vše|všechno? "
     "znovu|znova|od_začátku|od_nuly|nanovo|načisto|něco_nového|nové|s_čistým_štítem|od_píky"},
    {WORDS_FRESH_HERE,
     "znovu|od_začátku|od_nuly|nanovo|nové|nový|novou|nová|čistý_start|nový_začátek|reset"},
    {WORDS_FRESH_HERE, "nový|nová|novou|nové úkol|věc|práci|téma|požadavek"},
    {WORDS_FRESH_HERE, "ulož|uložit|uložme|uložte|schovej|odlož|odložme|archivuj "
                       "to|všechno|práci|starou|starý|tohle? práci|úkol|stranou|na_později?"},
    {WORDS_FIRST, "první možnost|volba|varianta|volbu|variantu?"},
    {WORDS_SECOND, "druhá|druhou|druhý|druhé možnost|volba|varianta|volbu|variantu?"},
    {WORDS_THIRD, "třetí možnost|volba|varianta?"},
    {WORDS_LAST, "poslední možnost|volba|varianta?"},
    {WORDS_OTHER, "ta|tu|ten jiná|jinou|druhá|druhou možnost?"},
    {WORDS_ASK, "můžeš|můžeme|můžete|mohl_bys|mohli_bychom|šlo_by"},
    {WORDS_LEAD,
     "možnost|varianta|variantu|volba|volbu|odpověď|číslo|beru|volím|vyber|chci|chtěl_bych|chtěla_"
     "bych|chceme|prosím|ano|jo|jasně|dobře|ok|tak|no|ať|asi|raději|radši|ahoj|dobrý_den|já|my|"
     "můžeš|můžeme|pojďme|určitě|a|takže|písmeno|hele|spíš|jednoduše"},
    {WORDS_LEAD_NO, "ne"},
    {WORDS_TAIL, "prosím|díky|děkuji|děkuju|teď|ok|dobře|jo|ano|bude_lepší|hned|dnes|prosím_tě|"
                 "jasně|klidně|raději|radši"},
    {WORDS_POLITE, "prosím|prostě"},
    {WORDS_NOT, "ne|nechci|nechceme|není_třeba|netřeba|nemusíš|místo|bez|hlavně_ne"},
    {WORDS_NOT_CONTINUE, "nepokračuj|nepokračovat|nepokračujme|nepokračujte|nepokračujeme"},
    {WORDS_NOT_FRESH,
     "nezačínej|nezačínejme|nezačínat|nezačínejte znovu|od_začátku|od_nuly|nanovo?"},
    {WORDS_UNDECIDED,
     "ne|žádná|žádný|žádné|obojí|oboje|obě|oba|nevím|netuším|nejsem_si_jistý|nejsem_si_jistá|je_to_"
     "jedno|to_je_jedno|cokoli|cokoliv|počkej|počkejte|moment|chvilku|vteřinku|později|potom|možná|"
     "přeskoč|hmm|co|proč|zítra|rozhodni_ty|jak_chceš|těžko_říct|nic|nebo|či|teď_ne"},
    {WORDS_NEITHER, "ani jedno|to|a|první ani? druhé|tamto|b?"},
    {WORDS_NEITHER, "žádná|žádný|žádné|žádnou|něco_jiného z? nich|těch|obou?"},
    {WORDS_DROP, "nech|nechme|nechte to|toho být|plavat|tak?"},
    {WORDS_DROP,
     "zapomeň|zapomeňte|zruš|zrušit|zrušme|zahoď|zahodit|vzdávám|vzdej|vykašli|vykašleme|ukonči|"
     "storno na|to|vše|všechno|celé|celý|se|úkol|projekt|na_to|to_celé|celou_věc|toho?"},
    {WORDS_DROP,
     "zapomeň|zruš|zrušme|zahoď|vykašli_se|nech na|celou|celý|celé|všechny|ty|tu|ten? @task"},
    {WORDS_DROP, "už to|ho|ji? "
                 "nepotřebuju|nepotřebujeme|nepotřebuji|netřeba|není_třeba|nechceme|nechci|neplatí|"
                 "nebudeme_dělat"},
    {WORDS_DROP, "nevadí|to_je_fuk|není_potřeba|už_není_potřeba"},
    {WORDS_BUT, "a|ale|protože|tentokrát|jen|jenom|však|ačkoli|když|až|aby|pak|potom|i|nicméně|"
                "kromě|potřebuji|potřebuju"},
    {WORDS_WITH, "s|se|na|pro|bez|v|tentokrát"},
    {WORDS_JOIN, "a|pak|potom|ale|raději|radši|nebo|tak|následně"},
    {WORDS_BACK, "už? jsem|jsme zpátky|zpět|tady|tu|zas_tady|zase_tady"},
    {WORDS_BACK, "vrátil_jsem_se|vrátila_jsem_se|jsem_zpět|zpátky_u_toho"},
    {WORDS_CONSENT, "ano|ne|jo|jasně|dobře|určitě"},

    /* ---- Dutch ---- */
    {WORDS_CONTINUE, "ga|gaan|doorgaan|verdergaan|verder|door|ga_door|ga_verder we|maar|gewoon? "
                     "maar|gewoon? door|verder? met|waar? dat|die|het|dit|de|onze|we? "
                     "oude|vorige|huidige|gebleven? werk|taak|klus|waren|opdracht?"},
    {WORDS_CONTINUE, "ga|gaan|werk|werken we|maar|gewoon|lekker? maar|gewoon? door|verder "
                     "er|eraan|daarmee|ermee? aan|mee?"},
    {WORDS_CONTINUE,
     "ga|gaan|werk|werken|doorgaan|verder we? er|hier|daar maar|gewoon? aan|mee verder|door"},
    {WORDS_CONTINUE, "pak het|dat|de_draad weer? op"},
    {WORDS_CONTINUE,
     "voortzetten|hervatten|hervat|zet_voort|doorwerken|verderwerken|vervolg|vervolgen"},
    {WORDS_CONTINUE_HERE,
     "de|het|dat|die? oude|vorige|zelfde|hetzelfde|dezelfde|bestaande taak|werk|klus|opdracht?"},
    {WORDS_CONTINUE_HERE,
     "maak|maken|afmaken|eerst we? dat|het|dit|de? oude|eerst|werk|taak? eerst? af|afmaken?"},
    {WORDS_FRESH, "begin|beginnen|beginnen_we|start|starten|opstarten we|maar|liever|helemaal? "
                  "opnieuw|vers|fris|van_voren_af_aan|vanaf_nul|van_nul|met_een_schone_lei|weer_"
                  "van_voren_af_aan|iets_nieuws|schoon"},
    {WORDS_FRESH,
     "helemaal? opnieuw|overnieuw|vanaf_nul|van_voren_af_aan|met_een_schone_lei beginnen|starten"},
    {WORDS_FRESH_HERE, "opnieuw|overnieuw|vanaf_nul|schone_lei|nieuw|nieuwe|een_nieuw_begin|nieuw_"
                       "begin|van_voren_af_aan"},
    {WORDS_FRESH_HERE,
     "een|de|het|mijn? nieuwe|nieuw taak|opdracht|vraag|onderwerp|klus|verzoek|begin"},
    {WORDS_FRESH_HERE,
     "sla|opslaan|bewaar|bewaren|leg|zet|archiveer|parkeer|berg dat|het|dit|alles|de|die? "
     "oude|werk|taak? op|apart|weg|opzij|even|voor_later?"},
    {WORDS_FIRST, "de|het? eerste optie|keuze|antwoord|mogelijkheid?"},
    {WORDS_SECOND, "de|het? tweede optie|keuze|antwoord|mogelijkheid?"},
    {WORDS_THIRD, "de|het? derde optie|keuze|antwoord?"},
    {WORDS_LAST, "de|het? laatste optie|keuze?"},
    {WORDS_OTHER, "de|het andere optie|keuze?"},
    {WORDS_ASK, "kun|kunnen|kan|zou|wil|mag"},
    {WORDS_LEAD,
     "optie|keuze|antwoord|nummer|ik|we|wij|laten_we|laat_ons|doe|doe_maar|kies|neem|ga_voor|wil|"
     "willen|zou|graag|liever|ja|jep|prima|goed|oké|ok|dan|nou|hoi|hallo|goedemorgen|kun_je|kan_je|"
     "kunnen_we|natuurlijk|zeker|gewoon|maar|voor|even|en|eigenlijk|toch|letter|de|het|beter"},
    {WORDS_LEAD_NO, "nee|neen"},
    {WORDS_TAIL, "graag|alsjeblieft|alstublieft|aub|bedankt|dank_je|dankjewel|dank_u|dan|nu|maar|"
                 "is_goed|prima|ok|oké|liever|is_beter|hoor|meteen|vandaag|even|a.u.b"},
    {WORDS_POLITE, "alsjeblieft|alstublieft|gewoon|aub"},
    {WORDS_NOT, "niet|geen|nooit|ga_niet|begin_niet|niet_meer|hoeft_niet|hoef_niet|in_plaats_van|"
                "zonder|liever_niet|ik_wil_niet|we_hoeven_niet"},
    {WORDS_NOT_AFTER, "niet"},
    {WORDS_UNDECIDED,
     "nee|geen|geen_van_beide|allebei|beide|beiden|een_van_beide|maakt_niet_uit|maakt_me_niet_uit|"
     "om_het_even|weet_niet|weet_ik_niet|ik_weet_het_niet|geen_idee|wacht|wacht_even|momentje|even_"
     "wachten|straks|later|nog_niet|misschien|overslaan|sla_over|hm|wat|waarom|morgen|kies_jij|jij_"
     "mag_kiezen|moeilijk_te_zeggen|niets|of|nu_niet|niet_nu"},
    {WORDS_NEITHER, "geen|geen_van van? beide|beiden|de_twee|die_twee|allebei|allen"},
    {WORDS_NEITHER, "iets anders|heel_anders"},
    {WORDS_DROP,
     "laat|laten we? maar|het|dat|de_boel? maar|het? zitten|gaan|zijn|vallen|rusten|maar"},
    {WORDS_DROP, "laat_maar|laat_maar_zitten|vergeet_het|vergeet_dat|vergeet_het_maar|hoeft_niet_"
                 "meer|hoeft_niet|annuleer|annuleren|annuleer_het|annuleer_alles|schrap|schrap_het|"
                 "stop_ermee|hou_ermee_op|ik_geef_het_op|niet_meer_nodig|niet_meer_nodig_hebben|"
                 "gooi_maar_weg|gooi_het_weg|alles_annuleren"},
    {WORDS_DROP, "vergeet|annuleer|schrap|stop|laat de|het|die|dat|alle|met? hele|heel|alle? @task "
                 "maar? zitten?"},
    {WORDS_DROP, "we|ik|het|dat hebben|heb|is|hoeft|doen dat|het|ons? niet_meer nodig|te_doen?"},
    {WORDS_BUT, "en|maar|want|omdat|deze_keer|dit_keer|nu|alleen|behalve|hoewel|als|zodra|daarna|"
                "dan|ook|echter|ik|we|totdat"},
    {WORDS_WITH, "met|voor|op|zonder|in|deze_keer|dit_keer"},
    {WORDS_JOIN, "en|daarna|dan|maar|liever|of|vervolgens|dus"},
    {WORDS_BACK, "ik_ben|we_zijn|ben|zijn? weer|er_weer|terug er|terug|hier?"},
    {WORDS_CONSENT, "ja|nee|jep|prima|goed|oké|natuurlijk|zeker|graag"},

    /* ---- Turkish ---- */
    {WORDS_CONTINUE,
     "devam|devam_et|devam_edelim|devam_edin|devam_ediyoruz|devam_edebiliriz|devam_ediniz|devam_"
     "etmek_istiyorum|devam_etsin|devam_edeyim lütfen|o_işe|ona|buna|önceki_işe?"},
    {WORDS_CONTINUE, "buna|ona|işe|eskisine|eskiye|önceki_işe|aynı_işe|kaldığımız_yerden|kaldığın_"
                     "yerden|bıraktığımız_yerden|o_işe|göreve|çalışmaya devam et|edelim|edin?"},
    {WORDS_CONTINUE,
     "sürdür|sürdürelim|sürdürün|kaldığımız_yerden|kaldığın_yerden|kaldığımız_yerden_devam"},
    {WORDS_CONTINUE_HERE, "eski|önceki|aynı|mevcut iş|görev|işe|görevi|konu|olan|şey|olsun?"},
    {WORDS_CONTINUE_HERE, "eskisi|öncekini|eskisini|önce_onu_bitirelim|onu_bitirelim|bitirelim|"
                          "önce_bunu_bitir|onu_bitir"},
    {WORDS_FRESH, "baştan|yeniden|sıfırdan|tekrar|en_baştan|yeni_baştan|temiz "
                  "başla|başlayalım|başlayın|başlamak_istiyorum|başlasak|bir_sayfa_aç|bir_sayfa_"
                  "açalım|yapalım|yap"},
    {WORDS_FRESH, "yeni|başka bir? şeye|işe|göreve|sayfaya|konuya başla|başlayalım|geç|geçelim"},
    {WORDS_FRESH_HERE, "baştan|yeniden|sıfırdan|yeni|yenisi|yeni_bir_şey|temiz_sayfa|yeni_olan|"
                       "yenisini|sil_baştan|yeni_bir_başlangıç"},
    {WORDS_FRESH_HERE, "yeni bir? iş|görev|konu|istek|başlangıç"},
    {WORDS_FRESH_HERE,
     "bunu|onu|işi|hepsini|eskiyi|eskisini|eski_işi|mevcut_işi? "
     "kaydet|kaydedelim|kaydedip|sakla|saklayalım|kenara_koy|kenara_koyalım|rafa_kaldır|arşivle"},
    {WORDS_FIRST, "ilki|birinci|birincisi|ilk|birinciyi|ilkini seçenek|seçeneği|olan|olsun|şık?"},
    {WORDS_SECOND, "ikinci|ikincisi|ikincisini|ikinciyi seçenek|seçeneği|olan|olsun|şık?"},
    {WORDS_THIRD, "üçüncü|üçüncüsü|üçüncüyü seçenek?"},
    {WORDS_LAST, "sonuncu|sonuncusu|son_seçenek"},
    {WORDS_OTHER, "diğeri|öteki|diğer|öbürü|diğerini|ötekini seçenek?"},
    {WORDS_ASK, "misin|miyiz|mısın|mıyız|musun|muyuz|edebilir|başlayabilir|lütfen"},
    {WORDS_LEAD, "seçenek|şık|cevap|numara|ben|biz|hadi|haydi|hayde|evet|tamam|tamamdır|olur|peki|"
                 "lütfen|o_zaman|bence|selam|merhaba|tabii|tabi|elbette|seçiyorum|istiyorum|en_"
                 "iyisi|ve|sanırım|yani|işte|eh|şimdi|önce|harf"},
    {WORDS_LEAD_NO, "hayır|yok"},
    {WORDS_TAIL, "lütfen|olsun|seç|seçiyorum|seçelim|istiyorum|diyorum|derim|tercih_ediyorum|"
                 "teşekkürler|teşekkür_ederim|sağ_ol|sağol|tamam|olur|daha_iyi|iyi_olur|bence|"
                 "şimdi|artık|hemen|seçeneği|şıkkı|şıkkını|yapalım|alayım|hadi|isterim|et|da|de"},
    {WORDS_POLITE, "lütfen|sadece"},
    {WORDS_NOT_CONTINUE,
     "devam etme|etmeyelim|etmeyin|etmek_istemiyorum|etmene_gerek_yok|etmeye_gerek_yok|etmesin"},
    {WORDS_NOT_FRESH, "baştan|yeniden|sıfırdan|tekrar "
                      "başlama|başlamayalım|başlamayın|başlamaya_gerek_yok|başlamak_istemiyorum"},
    {WORDS_NOT_AFTER, "değil|istemiyorum|olmasın"},
    {WORDS_UNDECIDED,
     "hayır|hiçbiri|ikisi_de|her_ikisi|her_ikisi_de|ikisi|farketmez|fark_etmez|fark_etmiyor|"
     "bilmiyorum|bilmem|emin_değilim|kararsızım|bekle|bekleyin|bir_dakika|bir_saniye|bi_dakika|dur|"
     "sonra|daha_sonra|belki|geç|atla|pas|hmm|ne|neden|niye|yarın|sen_seç|sen_karar_ver|nasıl_"
     "istersen|söylemesi_zor|yok|veya|ya_da|şimdi_değil|herhangi_biri"},
    {WORDS_NEITHER, "hiçbiri|hiç_biri|ikisi_de_değil|ikisi_de_olmaz|ne_o_ne_bu|ne_biri_ne_diğeri|"
                    "ne_o_ne_öteki|başka_bir_şey|bambaşka_bir_şey|hiçbirini_istemiyorum"},
    {WORDS_DROP, "boş|boşver ver|verin|gitsin|verelim|artık gitsin|bunu|onu?"},
    {WORDS_DROP,
     "boşver|boşverin|unut|unutun|vazgeç|vazgeçtim|vazgeçtik|vazgeçelim|iptal|iptal_et|iptal_"
     "edelim|iptal_edin|bırak|bırakalım|bırakın|kalsın|gerek_yok|gerek_kalmadı|artık_gerek_yok|"
     "lazım_değil|artık_lazım_değil|gerekmiyor gitsin|bunu|onu|hepsini|her_şeyi|artık|her_şey?"},
    {WORDS_DROP, "bunu|onu|hepsini|her_şeyi|tamamını|işi|projeyi|görevi|bütün_işi|tüm_işi "
                 "iptal_et|iptal_edelim|unut|bırak|sil|boşver|boş_ver|iptal|unutalım|bırakalım"},
    {WORDS_BUT, "ve|ama|fakat|ancak|çünkü|bu_sefer|bu_kez|yalnız|sadece|da|de|yalnızca|sonra|bir_"
                "de|ayrıca|lakin|bana"},
    {WORDS_WITH, "bu_sefer|bu_kez|bununla"},
    {WORDS_JOIN, "ve|veya|sonra|ama|onun_yerine|yerine|ya_da|ardından|da|de|sonra_da"},
    {WORDS_BACK, "ben? geri|tekrar|yine? geldim|döndüm|buradayım|geldik|döndük"},
    {WORDS_CONSENT, "evet|hayır|tamam|olur|tabii|peki|elbette"},

    /* ---- Chinese and Japanese, more of them ---- */
    {WORDS_CONTINUE, "接着|接著|继续|繼續|延续|继续按照? 上次|之前|原来|刚才|以前 的 "
                     "做|干|工作|任务|进度|来|弄|继续|那个?"},
    {WORDS_CONTINUE, "先? 把? 之前|原来|旧|上次 的 做完|完成|弄完|搞定"},
    {WORDS_CONTINUE_HERE, "还是|就? 用|做|选? 原来|之前|老|旧|上次 的 吧?"},
    {WORDS_FRESH, "重新|从头|從頭|从零|重头|另|全新 开始|開始|来|來|来过|來過|做|弄|开|再来|起 "
                  "一遍|一次|吧|一个新的?"},
    {WORDS_FRESH, "保存|存|存档|归档|先保存|先存|收起来|存起来|放一边|先放一边 一下|好|下来|起来? "
                  "然后|再|并|后|以后|之后? 重新|从头|从零 开始|来|做|弄"},
    {WORDS_FRESH_HERE,
     "保存|存|存档|归档|收起来|存起来|放一边|先放一边|先存着|存一下|保存一下 吧|好|起来|了?"},
    {WORDS_FRESH_HERE, "开 个? 新 的|坑|话题|任务|头?"},
    {WORDS_OTHER, "另|另外 一|那? 个|一个|个|项|种"},
    {WORDS_LEAD, "选|選|我要|我想选|我想要|就选|那就选|还是选|请选|用|来|走|要不|要不就|不如|你好|"
                 "嗨|麻烦|咱|咱们|可不可以|能不能|可以|当然|好啊|没问题|字母|后面|还是"},
    {WORDS_TAIL, "吧|好了|就行了|谢了|多谢|谢谢你|哈|哒|咯|喽|算了吧|那个选项|这个选项|项|号|第|"
                 "选项吧|比较好|更好"},
    {WORDS_NOT, "别|別|不要|不|不用|不想|不必|无需|不需要|没必要|不再|别再"},
    {WORDS_UNDECIDED,
     "跳过|略过|下一个|过|嗯|唔|呃|啥|什么|为什么|不好说|很难说|难说|都一样|看你|你看着办|听你的|"
     "无所谓|任意|哪个都行|哪个都可以|先等等|等会儿|晚点|明天|以后再说|也许|可能|两个都做|都做|"
     "按这个顺序|先后都做|不清楚|不晓得|没想法|一起|或者|和"},
    {WORDS_NEITHER, "都不是|都不要|都不|都不选|两个都不|两个都不是|两个都不要|两者都不|哪个都不|"
                    "哪个都不是|哪个都不要|别的|其他的|另外的事|别的事|其它|都不对"},
    {WORDS_DROP, "算了|算啦|不做了|不弄了|不干了|取消|取消吧|取消掉|放弃|放弃吧|作废|不用了|"
                 "不需要了|不要了|别做了|别弄了|停了吧|撤销|删掉|扔掉|全部取消|全都取消|整个取消|"
                 "忘了吧|忘掉吧|忘了它 这个|整个|全部|任务|工作|项目|吧|了|它|那个?"},
    {WORDS_DROP, "把? 这个|整个|全部|那个|这? 任务|工作|项目|事情|事|都? "
                 "取消|放弃|作废|停掉|删掉|扔掉 吧|了|掉?"},
    {WORDS_BUT, "但|但是|不过|只是|可是|这次|這次|因为|另外|顺便|并|然后|而|就是|只|记得|先|再|我|"
                "帮我|给我|除了"},
    {WORDS_WITH, "用|以|这次|基于|针对"},
    {WORDS_JOIN, "然后|再|而是|并|并且|先|后|就|还是"},
    {WORDS_BACK, "我? 又? 回来|在|上线|到 了|啦|呢?"},

    {WORDS_CONTINUE, "続けて|続けましょう|続けよう|続けます|続けたい|続行して|継続して|継続で|"
                     "続行で|続きで|続きから|続きを|続き|再開して|再開で|進めて|進めましょう|"
                     "先に進めて|このまま|そのまま|今のまま|引き続き "
                     "ください|下さい|お願いします|お願い|いこう|行こう|進めて|続けて|やって|"
                     "やろう|やりましょう|で?"},
    {WORDS_CONTINUE_HERE,
     "前の|元の|さっきの|この前の|以前の|今までの 続き|作業|方|ほう|やつ|もの|タスク|件 "
     "を|で|の|から? 続けて|続ける|やって|進めて|お願いします?"},
    {WORDS_CONTINUE_HERE,
     "前の|それ|あれ|先に|まず を|から|は? 終わらせて|片付けて|完成させて|終わらせよう|仕上げて"},
    {WORDS_FRESH, "新しく|新たに|一から|ゼロから|最初から|はじめから|初めから|白紙から|新規で|"
                  "改めて|まっさらから "
                  "始めて|始めよう|始めましょう|始めたい|やり直して|やり直そう|スタート|"
                  "スタートして|開始して|やって|お願いします|はじめて"},
    {WORDS_FRESH_HERE, "やり直し|やり直しで|白紙に戻して|リセット|リセットして|新しいほう|新しい方|"
                       "新しいので|新しいやつ|新規|新規で"},
    {WORDS_FRESH_HERE,
     "今の|前の|これ|それ|作業? は|を|の? "
     "保存|保存して|保存し|取っておいて|しまって|脇に置いて|置いといて おいて|おき|ください?"},
    {WORDS_OTHER, "もう一つ|もうひとつ|他の方|別の方|もう片方|反対 の|の方|の選択肢|のほう?"},
    {WORDS_LEAD, "あー|えーと|えっと|すみません|こんにちは|おはよう|とりあえず|まず|できれば|"
                 "もちろん|そうですね|そうだな|お願い|選択肢は|番号は|なら|私は|僕は|俺は|やっぱ"},
    {WORDS_TAIL,
     "で|でいい|でいいです|でよろしく|よろしく|にしよう|にしてください|にしましょう|を選択|"
     "を選択します|にしたい|でいこう|でいきましょう|で行きましょう|ください|下さい|だ|だね|かな|"
     "の方で|のほうで|が良い|が良いです|を|の|ね|ありがとう|ありがとうございます|頼みます"},
    {WORDS_NOT_CONTINUE, "続けないで|続けなくていい|続けなくて|続けず|続けずに|続行しないで|"
                         "続きはいらない|続きは不要 ください|いい|よい?"},
    {WORDS_NOT_FRESH, "新しく始めないで|やり直さないで|最初からじゃなくて|最初からではなく|"
                      "やり直しじゃなくて|新しくしないで"},
    {WORDS_NOT_AFTER, "ではなく|ではなくて|じゃなくて|じゃない|ではない"},
    {WORDS_UNDECIDED,
     "スキップ|飛ばして|パス|うーん|ええと|えっと|どうしよう|迷う|どっちがいい|なんでも|何でも|"
     "お任せ|おまかせ|任せる|任せます|両方とも|両方で|両方やって|その順で|たぶん|多分|かも|何|なに|"
     "なぜ|明日|また後で|後ほど|ちょっと待|さあ|微妙|難しい|か|と"},
    {WORDS_NEITHER, "どちらでもない|どちらでもなく|どちらでもありません|どっちでもない|"
                    "どっちでもなく|どちらも違う|どちらも違います|どちらもいらない|別のこと|"
                    "他のこと|別件|違うこと|その他 です|で|で、?"},
    {WORDS_DROP,
     "もういい|もういいです|もう結構です|やめて|やめよう|やめます|やめましょう|中止|中止で|"
     "中止して|取りやめ|取り消して|キャンセル|キャンセルで|キャンセルして|忘れて|忘れてください|"
     "破棄して|破棄|必要なくなった|必要なくなりました|いらない|いらなくなった|不要になった|"
     "不要になりました|なしで|やらなくていい|全部 ください|です|よ|にして?"},
    {WORDS_DROP, "それ|これ|あれ|その件|この件|この作業|全部|すべて|タスク は|を|も? "
                 "もういい|やめて|中止して|キャンセルして|忘れて|取り消して|破棄して|いらない|不要|"
                 "やめよう ください|です?"},
    {WORDS_BUT, "ただし|ただ|でも|けど|けれど|今回は|今度は|そして|なので|ので|から|が|あと|それと|"
                "それから|ちなみに"},
    {WORDS_WITH, "今回は|今度は"},
    {WORDS_JOIN, "そして|それから|その後|で|て|じゃなくて"},
    {WORDS_BACK, "戻った|戻って|帰って|帰った|います|いるよ よ|きた|きました|来ました|ました?"},

    /* ---- Korean ---- */
    {WORDS_CONTINUE,
     "계속|계속해|계속해줘|계속해주세요|계속해요|계속하자|계속합시다|계속할게|계속할게요|계속하기|"
     "계속하죠|계속해서|계속진행|계속하고|이어서|이어가자|이어가|이어서해|이어서해줘|재개|재개해|"
     "재개해줘|진행해|진행해줘|진행하자 "
     "해|해줘|해주세요|하자|합시다|진행|진행해|진행해줘|진행하자|진행합시다|할게|할게요|하죠|가자|"
     "해요|부탁해|부탁해요|부탁드려요|부탁합니다|작업해|작업해줘?"},
    {WORDS_CONTINUE,
     "하던|하던거|하던걸|하던일|기존|이전|아까|지난번|전에|원래|그 "
     "거|것|걸|작업|일|하던|작업을|일을|하던거|작업으로|거로|걸로? 마저|계속|이어서? "
     "해|해줘|하자|계속|이어서|마저|할게|진행|이어가자 하자|해|해줘|해주세요|할게요|진행?"},
    {WORDS_CONTINUE_HERE,
     "기존|이전|원래|하던 작업|일|거|것|걸로|거로|작업으로|일로 먼저|할게|할게요|해줘|해?"},
    {WORDS_CONTINUE_AND, "계속하되|계속하는데|계속하지만|계속하고|이어서_하되|계속_하되|진행하되|"
                         "진행하고|계속해도_되는데|계속해_근데|이어서_하고"},
    {WORDS_FRESH, "새로|처음부터|다시|새롭게|새로이|제로부터 "
                  "시작|시작해|시작해줘|시작하자|시작할게|시작할게요|시작합시다|시작하기|"
                  "시작해주세요|시작해요|하자|해줘|할래|할래요"},
    {WORDS_FRESH,
     "처음부터|새로|아예 다시|새로|새롭게 "
     "하자|해|해줘|할게|할게요|시작|시작해|시작해줘|시작하자|시작할게|합시다|해주세요"},
    {WORDS_FRESH,
     "저장하고|저장하고서|저장한|보관하고|저장해두고|저장 후|뒤|하고? 새로|처음부터|다시|새롭게 "
     "시작|시작해|시작해줘|시작하자|시작할게|시작할게요|해|하자|해줘"},
    {WORDS_FRESH_AND,
     "새로_시작하고|처음부터_시작하고|다시_시작하고|새로_시작하되|처음부터_하되|저장하고|"
     "저장하고서|저장해두고|보관하고|저장한_다음|새로_시작하는데|처음부터_다시_하고"},
    {WORDS_FRESH_HERE, "처음부터|새로|새거|새것|새걸로|새로운거|새로운걸로|새로운|새 "
                       "거|것|걸로|작업|일|요청|주제 할게|할게요|해줘|하자?"},
    {WORDS_FRESH_HERE,
     "저장|저장해|저장해줘|저장하자|저장해주세요|저장해둬|보관해|보관해줘|치워둬"},
    {WORDS_FIRST, "첫번째|첫|첫째|1번|일번|첫번째로|첫번째거|첫번째걸로|1번으로|1번요|1번이요 "
                  "번째|거|것|걸로|거로|번째로|번째걸로|선택지|옵션?"},
    {WORDS_FIRST, "1 번|번으로|번이요|번요|번째"},
    {WORDS_SECOND, "두번째|둘째|2번|이번_거|두번째로|두번째거|두번째걸로|2번으로|2번요|2번이요 "
                   "거|것|걸로|거로|선택지|옵션?"},
    {WORDS_SECOND, "두 번째|번째로|번째거|번째걸로 거|것|걸로|거로|선택지|옵션?"},
    {WORDS_SECOND, "2 번|번으로|번이요|번요|번째"},
    {WORDS_LAST, "마지막|마지막거|마지막걸로 거|것|걸로|선택지?"},
    {WORDS_FORMER, "전자|전자로|전자요"},
    {WORDS_LATTER, "후자|후자로|후자요"},
    {WORDS_OTHER, "다른|나머지|반대 거|것|걸로|하나|쪽|옵션"},
    {WORDS_LEAD,
     "옵션|선택|선택지|답|번호|그럼|그러면|네|예|응|어|좋아|좋아요|그래|그래요|음|저는|나는|난|전|"
     "우리|그냥|일단|안녕|안녕하세요|부탁|제발|당연히|물론|알겠어|알겠습니다|그리고|먼저"},
    {WORDS_LEAD_NO, "아니|아니요|아뇨|아니오"},
    {WORDS_TAIL,
     "로|으로|요|이요|할게|할게요|하자|해줘|해|해주세요|주세요|할래|할래요|부탁해|부탁해요|"
     "부탁드려요|부탁드립니다|부탁합니다|선택|선택할게|선택할게요|선택합니다|골라|고를게|고를게요|"
     "갈게|갈게요|가자|좋아|좋아요|좋겠어|좋겠어요|좋을듯|낫겠다|로요|로할게|로할게요|를|을|가|이|"
     "입니다|이야|예요|감사합니다|고마워|고마워요|네|지금|바로"},
    {WORDS_TAIL, "로|으로|요|이요|로요|를|을|가|이|입니다|예요|야|안|번|로할게|로할게요|로해|"
                 "로해줘|로하자|가좋아|가좋아요"},
    {WORDS_NOT_CONTINUE, "계속|계속하지|이어서_하지 하지|말고|마|말아|말아줘|마세요|않고|않을래 "
                         "말고|마|말아줘|마세요|않고|않을래?"},
    {WORDS_NOT_CONTINUE, "계속하지_말고|계속하지_마|계속하지_않고|계속_하지_말고|계속할_필요_없어|"
                         "계속_안_해|계속_안하고"},
    {WORDS_NOT_FRESH, "새로|다시|처음부터 시작하지|하지 말고|마|말아줘|마세요"},
    {WORDS_NOT_AFTER, "말고|아니고|아니라"},
    {WORDS_UNDECIDED,
     "아니|아니요|아뇨|둘|둘다|둘_다|둘_다요|다|모두|아무거나|아무_거나|상관없어|상관없어요|상관_"
     "없어|잠깐|잠깐만|잠깐만요|잠시만|잠시만요|기다려|기다려줘|나중에|이따가|몰라|몰라요|모르겠어|"
     "모르겠어요|모르겠네|모르겠다|글쎄|글쎄요|음|흠|패스|건너뛰기|스킵|어쩌지|고민|고민돼|뭐|왜|"
     "내일|알아서_해줘|알아서|네가_골라|또는|이나|하고|순서대로|글쎄다|지금은_아니야"},
    {WORDS_NEITHER, "둘_다_아니야|둘_다_아니에요|둘_다_아님|둘_다_싫어|둘_다_아닌데|둘다_아니야|"
                    "아무것도|둘_다_아니다|둘_다_별로|다른_거|다른_것|다른거|다른_일"},
    {WORDS_NEITHER_AND, "둘_다_아니고|둘다_아니고|둘_다_말고|둘다_말고|다_아니고|그거_말고|그것_"
                        "말고|그게_아니라|둘_다_아니라|둘_다_아니니까"},
    {WORDS_DROP_AND,
     "그냥? "
     "취소|취소해|취소해줘|취소하자|취소할게|취소할게요|취소해요|취소합시다|취소해주세요|그만둬|"
     "그만두자|그만해|그만하자|관둬|관두자|됐어|됐어요|됐습니다|때려치워|포기|포기할게|포기해|"
     "포기하자|필요없어|필요없어요|필요_없어|필요_없어요|필요없어졌어|필요_없어졌어|없던_일로|없던_"
     "걸로|잊어|잊어줘|잊어버려"},
    {WORDS_DROP_AND, "이제|더는|더_이상|이젠|더이상|그냥 "
                     "취소|취소해|필요없어|필요_없어|필요없어요|필요_없어요|필요없습니다|필요_"
                     "없습니다|안_해도_돼|안해도_돼|그만해|그만하자|됐어|됐어요"},
    {WORDS_DROP_AND, "전부|다|모두|이거|그거|이_작업|작업을|작업|이_일은|그_작업 그냥? "
                     "취소|취소해|취소해줘|취소하자|그만둬|그만두자|필요없어|필요_없어|잊어줘|"
                     "포기하자|버려|버리자"},
    {WORDS_BUT,
     "그런데|근데|하지만|다만|그리고|이번엔|이번에는|대신|단|그러나|왜냐하면|그래서|아_그리고"},
    {WORDS_WITH, "이번엔|이번에는"},
    {WORDS_JOIN, "그리고|그러고|그다음|다음|또는|이나|대신|다음에"},
    {WORDS_BACK,
     "나|저|저는? 다시? 왔어|왔어요|돌아왔어|돌아왔어요|돌아왔습니다|왔습니다|복귀|복귀했어"},
    {WORDS_CONSENT, "네|예|응|어|그래|좋아|아니|아니요|아뇨|좋아요|그래요|물론"},

    /* ---- Arabic ---- */
    {WORDS_CONTINUE,
     "كمل|كملي|كملوا|كمّل|نكمل|خلينا_نكمل|خلنا_نكمل|استمر|استمري|نستمر|لنستمر|واصل|واصلي|نواصل|"
     "لنواصل|تابع|تابعي|نتابع|لنتابع|أكمل|أكملي|لنكمل|استأنف|لنستأنف|المتابعة|الاستمرار|المواصلة|"
     "متابعة|استكمل|اكمال|إكمال في|على|ب|من? "
     "هذا|ذلك|العمل|المهمة|القديم|الشغل|حيث|نفس|عمل|مهمة|السابق|السابقة|هذه|هناك|اللي? "
     "العمل|المهمة|المهمه|الشغل|توقفنا|وقفنا|القديم|القديمة|السابق|السابقة|كنا|بدأناه? "
     "فيه|عليه|نعمله?"},
    {WORDS_CONTINUE_HERE,
     "نفس|العمل|المهمة|الشغل القديم|القديمة|السابق|السابقة|المهمة|الشغل|العمل|الشي|الشيء"},
    {WORDS_CONTINUE_HERE,
     "خلص|خلصه|نخلص|لننه|أنهِ|ننهي|انه القديم|الأول|هذا|اللي_بدأناه|العمل|ما_بدأناه أولا?"},
    {WORDS_FRESH,
     "ابدأ|ابدا|ابدئي|نبدأ|لنبدأ|نبدا|ابدأ_لي|وابدأ|وابدا|ونبدأ|ولنبدأ|البدء|بدء|خلينا_نبدأ "
     "من|ب|شي|شيء|مهمة|عمل? جديد|الأول|البداية|الصفر|الصفر_من_جديد|جديدة|صفر|اول|أول_وجديد"},
    {WORDS_FRESH, "من جديد|الصفر|البداية|اول_وجديد"},
    {WORDS_FRESH_HERE, "جديد|جديدة|مهمة_جديدة|عمل_جديد|شيء_جديد|شي_جديد|الجديد|الجديدة|صفحة_جديدة|"
                       "بداية_جديدة|طلب_جديد"},
    {WORDS_FRESH_HERE,
     "احفظ|احفظه|احفظها|احفظي|نحفظ|احفظ_لي|خزن|خزنه|أرشف|أرشفه|حفظ|ضعه_جانبا|ضع|خلي "
     "ذلك|هذا|العمل|الشغل|كل_شيء|القديم|ما_سبق|المهمة? جانبا|على_جنب|القديم|القديمة|الحالي?"},
    {WORDS_FIRST, "الأول|الأولى|أول|اول|الاولى الخيار|خيار|واحد?"},
    {WORDS_FIRST, "الخيار|الاختيار|الإجابة الأول|الأولى|رقم_1"},
    {WORDS_SECOND, "الثاني|الثانية|ثاني|التاني|التانية خيار|واحد?"},
    {WORDS_SECOND, "الخيار|الاختيار|الإجابة الثاني|الثانية|التاني|رقم_2"},
    {WORDS_THIRD, "الخيار? الثالث|الثالثة"},
    {WORDS_LAST, "الخيار? الأخير|الأخيرة"},
    {WORDS_OTHER, "الخيار? الآخر|الاخر|الأخرى|الثاني_الآخر|التاني"},
    {WORDS_ASK, "ممكن|يمكنك|هل_يمكن|هل_ممكن|تقدر|هل_تستطيع"},
    {WORDS_LEAD,
     "الخيار|خيار|الاختيار|الجواب|رقم|أنا|نحن|أريد|اريد|نريد|بدي|عايز|عاوز|أختار|اختار|أفضل|افضل|"
     "الأفضل|نعم|ايوه|أيوه|أي|اه|طيب|حسنا|تمام|اوكي|ماشي|من_فضلك|لو_سمحت|رجاء|مرحبا|السلام_عليكم|"
     "يلا|هيا|خلينا|خلنا|دعنا|إذن|اذا|أن|ان|ثم|بالتأكيد|طبعا|ممكن|الحرف|يا_ريت"},
    {WORDS_LEAD_NO, "لا|لأ|كلا"},
    {WORDS_TAIL, "من_فضلك|لو_سمحت|رجاء|شكرا|شكراً|الآن|الان|هلأ|تمام|أفضل|احسن|أحسن|إذن|لو_تكرمت|"
                 "فضلا|بليز|طيب|يلا|هيا|نعم"},
    {WORDS_POLITE, "من_فضلك|لو_سمحت|رجاء|فقط"},
    {WORDS_NOT, "لا|مش|ما|بدون|لا_أريد|لا_نريد|لا_داعي_ل|مو|بلاش|بدل|ليس|لن|لا_تقم|لا_حاجة_ل"},
    {WORDS_NOT_CONTINUE,
     "لا|ما|مش|مو|بلاش تكمل|تكملي|تستمر|تواصل|تتابع|نكمل|نستمر|نواصل|نتابع|اكمل"},
    {WORDS_NOT_FRESH, "لا|ما|مش|مو|بلاش تبدأ|تبدا|نبدأ|نبدا من_جديد|من_الصفر|من_البداية?"},
    {WORDS_UNDECIDED,
     "لا|كلاهما|الاثنين|الاثنان|الاتنين|كلا_الخيارين|أي_واحد|اي_واحد|أي_شيء|أيهما|لا_يهم|مش_مهم_"
     "أيهما|عادي|زي_بعض|لا_أعرف|لا_اعرف|لا_أدري|مش_عارف|ما_بعرف|مدري|غير_متأكد|لست_متأكدا|انتظر|"
     "استنى|لحظة|دقيقة|ثانية|لاحقا|بعدين|ربما|يمكن|تخطى|تخطي|هممم|ماذا|ايش|ليش|لماذا|غدا|بكرة|اختر_"
     "أنت|انت_اختار|كما_تريد|على_راحتك|صعب_القول|لا_شيء|أو|او|ليس_الآن"},
    {WORDS_NEITHER, "لا هذا|ذلك|ده|أ ولا هذا|ذاك|ذلك|ده|ب"},
    {WORDS_NEITHER, "ولا_واحد|ولا_واحدة|لا_شيء_منهما|لا_أحد_منهما|ولا_وحدة|شيء_آخر|شي_ثاني|شيء_"
                    "مختلف|حاجة_تانية|غير_ذلك|كلاهما_لا منهما|منهم?"},
    {WORDS_DROP, "انس|انسى|انسي|انسَ|انساه|انس_الأمر|الغ|الغي|ألغِ|ألغ|الغها|الغيها|الغيه|ألغه|نلغي|"
                 "لنلغ|اترك|اتركه|اتركها|سيبك|سيبه|سيبها|توقف_عن|أوقف|اوقف|وقف|اترك_كل "
                 "الموضوع|كل_شيء|كل_شي|المهمة|العمل|الشغل|الأمر|هذا|ذلك|من_ده|منه|كله|المشروع|كل_"
                 "هذا|هذه_المهمة?"},
    {WORDS_DROP,
     "خلاص|خلص|يكفي الغ|الغي|ألغ|ألغِ|سيبه|سيبها|اتركه|انسى|بلاش الموضوع|كل_شيء|المهمة|الأمر|كله?"},
    {WORDS_DROP, "لم_نعد|لم_أعد|ما_عاد|ما_عدت|مش_محتاج|مش_محتاجين|ما_عدنا "
                 "بحاجة|أحتاج|نحتاج|محتاج|نريد|أريد|نحتاجه|أحتاجه إليه|إليها|ذلك|هذا|له|لها?"},
    {WORDS_DROP, "لا_داعي|ما_في_داعي|ما_له_داعي|لا_حاجة|مش_مهم|لا_تهتم|خلاص_بلاش|بلاش"},
    {WORDS_BUT, "و|لكن|ولكن|بس|لأن|لان|هذه_المرة|المرة_دي|هالمرة|فقط|غير|إذا|لما|ثم|بعدها|أيضا|"
                "وهذه|واستخدم|وأريد|وخلي|ولا"},
    {WORDS_WITH, "ب|مع|على|باستخدام|هذه_المرة|بدون|المرة_دي|هالمرة"},
    {WORDS_JOIN, "و|ثم|بعدها|بل|لكن|أو|او|بعدين|وبعدين"},
    {WORDS_BACK, "أنا|انا|لقد? رجعت|عدت|هنا|رجعنا|عدنا|موجود مرة_أخرى|تاني|الآن?"},
    {WORDS_CONSENT, "نعم|لا|ايوه|أيوه|طيب|حسنا|تمام|أكيد|بالتأكيد|أجل|اه|ماشي"},

    /* ---- Hindi, also in Latin letters ---- */
    {WORDS_CONTINUE,
     "वही|वो|उसे|उसी|इसे|पुराना|पुराने|काम|पहले_वाला|वहीं|उस_काम|पिछला? काम|को|से|वाला|को_ही? जारी|आगे|चालू "
     "रखो|रखें|रखिए|रखना|रख|बढ़ो|बढ़ें|बढ़ते_हैं|करो|करें|रखते_हैं|चलो|चलें|बढ़िए"},
    {WORDS_CONTINUE, "जारी_रखो|जारी_रखें|जारी|आगे_बढ़ो|आगे_चलो|चलते_रहो|करते_रहो|चालू_रखो|वहीं_से_शुरू_करो|जहाँ_"
                     "छोड़ा_था_वहीं_से|जहां_छोड़ा_था_वहीं_से|जहाँ_रुके_थे_वहीं_से"},
    {WORDS_CONTINUE, "jari|jaari|aage|chalu|continue|resume "
                     "rakho|rakhen|rakhein|badho|chalo|karo|karte|kar|kijiye|rakhna|rakhiye|badhte "
                     "hain|raho|do|hai?"},
    {WORDS_CONTINUE,
     "wahi|wahin|wohi|purana|purane|pehle_wala|us_kaam|kaam|usi_kaam ko|se|wala|kaam? "
     "jari|jaari|aage|continue|shuru|karte rakho|karo|badho|raho|rakhte_hain"},
    {WORDS_CONTINUE_HERE,
     "पुराना|पुराने|वही|पिछला|पहले_वाला|purana|wahi|pichla|pehle_wala काम|वाला|ही|kaam|wala|hi"},
    {WORDS_FRESH, "नया|नए_सिरे_से|फिर_से|दोबारा|शुरू_से|शून्य_से|नई|नये_सिरे_से|सब_नया काम|सिरे_से? शुरू|आरंभ|चालू "
                  "करो|करें|करते_हैं|कर_दो|कीजिए|करिए|कर|करना|करेंगे"},
    {WORDS_FRESH, "naya|naye_sire_se|phir_se|fir_se|dobara|shuru_se|zero_se|nayi|fresh "
                  "kaam|sire_se? shuru|start karo|karen|karein|karte_hain|kar_do|kijiye|karna|kar"},
    {WORDS_FRESH, "शुरू_से|नए_सिरे_से|नये_सिरे_से|naye_sire_se|shuru_se|phir_se|फिर_से शुरू|shuru|start?"},
    {WORDS_FRESH_HERE,
     "नया|नई|नया_काम|नई_शुरुआत|कुछ_नया|naya|naya_kaam|kuch_naya|nayi_shuruat|नया_वाला|naya_wala"},
    {WORDS_FRESH_HERE,
     "इसे|उसे|यह|वह|इसको|पुराना|काम|ise|use|isko|purana|kaam? काम|kaam? सेव|सहेज|बचा|सुरक्षित|save|sahej "
     "करो|करके|करें|कर_लो|लो|कर|कर_दो|रख_लो|कीजिए|karo|karke|kar_lo|kar|kar_do|lo|और?"},
    {WORDS_FIRST, "पहला|पहली|पहले|pehla|pahla|pehli|pahli वाला|वाली|विकल्प|wala|wali|option|ऑप्शन?"},
    {WORDS_SECOND,
     "दूसरा|दूसरी|दूसरे|doosra|dusra|doosri|dusri वाला|वाली|विकल्प|wala|wali|option|ऑप्शन?"},
    {WORDS_THIRD, "तीसरा|तीसरी|teesra|tisra वाला|wala|विकल्प|option?"},
    {WORDS_LAST, "आखिरी|अंतिम|aakhri वाला|wala|विकल्प|option?"},
    {WORDS_ASK, "क्या|kya|सकते|sakte"},
    {WORDS_LEAD, "विकल्प|ऑप्शन|उत्तर|जवाब|नंबर|मैं|हम|मुझे|हमें|चलो|चलिए|कृपया|हाँ|हां|जी|जी_हाँ|ठीक_है|अच्छा|तो|"
                 "फिर|नमस्ते|main|hum|mujhe|chalo|haan|han|ji|theek_hai|thik_hai|accha|to|toh|please|"
                 "plz|namaste|bas|बस|और|aur|अब|ab|बेहतर_है|yaar|bhai|भाई"},
    {WORDS_LEAD_NO, "नहीं|ना|nahi|nahin|na"},
    {WORDS_TAIL, "कृपया|प्लीज़|प्लीज|धन्यवाद|शुक्रिया|ठीक_है|अभी|ही|चुनो|चुनता_हूँ|चुनूँगा|लो|करो|कर_दो|चाहिए|"
                 "वाला|वाली|please|plz|dhanyavad|shukriya|theek_hai|abhi|hi|karo|kar_do|chahiye|"
                 "wala|wali|lo|do|chuno|bhai|yaar|hai|है|हूँ|चलेगा|chalega|दीजिए|दो"},
    {WORDS_POLITE, "कृपया|प्लीज़|प्लीज|बस"},
    {WORDS_NOT, "नहीं|मत|ना|nahi|nahin|mat|na|बजाय|bina|बिना"},
    {WORDS_NOT_CONTINUE, "जारी|आगे|jari|jaari|aage|continue मत|नहीं|ना|mat|nahi|na "
                         "रखो|करो|बढ़ो|रखना|रखें|करना|rakho|karo|badho|karna|rakhna"},
    {WORDS_NOT_FRESH, "नया|शुरू_से|फिर_से|naya|shuru_se|phir_se|fir_se शुरू|shuru|start? मत|नहीं|mat|nahi "
                      "करो|करना|करें|karo|karna"},
    {WORDS_NOT_AFTER, "नहीं|nahi|मत|mat|nahin"},
    {WORDS_UNDECIDED,
     "नहीं|nahi|दोनों|dono|दोनों_ही|dono_hi|कोई_भी|koi_bhi|कुछ_भी|kuch_bhi|कोई_फर्क_नहीं|koi_fark_nahi|"
     "पता_नहीं|pata_nahi|pata_nahin|मालूम_नहीं|maloom_nahi|नहीं_पता|nahi_pata|रुको|ruko|रुकिए|rukiye|एक_"
     "मिनट|ek_minute|ek_min|एक_सेकंड|थोड़ा_रुको|बाद_में|baad_mein|baad_me|शायद|shayad|छोड़ो_आगे|skip|स्किप|"
     "हम्म|hmm|क्या|kya|क्यों|kyun|कल|kal|तुम_चुनो|tum_chuno|आप_चुनें|जैसा_ठीक_लगे|या|ya|कहना_मुश्किल|अभी_नहीं|"
     "abhi_nahi"},
    {WORDS_NEITHER,
     "दोनों_नहीं|दोनों_में_से_कोई_नहीं|कोई_नहीं|कोई_भी_नहीं|dono_nahi|dono_mein_se_koi_nahi|koi_nahi|koi_"
     "bhi_nahi|कुछ_और|kuch_aur|न_यह_न_वह|ना_ये_ना_वो|na_ye_na_wo|इनमें_से_कोई_नहीं"},
    {WORDS_DROP, "रहने_दो|रहने_दें|रहने_दीजिए|छोड़ो|छोड़_दो|छोड़िए|भूल_जाओ|भूल_जाइए|रद्द_करो|रद्द_कर_दो|रद्द_करें|"
                 "कैंसल_करो|कैंसिल_करो|कैंसल_कर_दो|बंद_करो|बंद_कर_दो|जाने_दो|ज़रूरत_नहीं|जरूरत_नहीं|अब_ज़रूरत_नहीं|"
                 "अब_जरूरत_नहीं|नहीं_चाहिए|अब_नहीं_चाहिए है|अब|रही|इसे|ये_सब|सब?"},
    {WORDS_DROP, "rehne_do|rahne_do|chhodo|chodo|chhod_do|chod_do|bhool_jao|bhul_jao|cancel_karo|"
                 "cancel_kar_do|radd_karo|radd_kar_do|band_karo|band_kar_do|jaane_do|jane_do|"
                 "zaroorat_nahi|zarurat_nahi|nahi_chahiye|ab_nahi_chahiye hai|ab|ise|ye_sab|sab?"},
    {WORDS_DROP, "इसे|उसे|सब|सब_कुछ|पूरा|यह|ये|काम|ise|use|sab|sab_kuch|pura|ye|kaam काम|kaam|ही|hi? "
                 "छोड़ो|छोड़_दो|रद्द_करो|रद्द_कर_दो|कैंसल_कर_दो|भूल_जाओ|बंद_करो|रहने_दो|chhodo|chhod_do|"
                 "chodo|cancel_karo|cancel_kar_do|radd_karo|bhool_jao|band_karo|rehne_do"},
    {WORDS_BUT, "और|लेकिन|पर|मगर|क्योंकि|इस_बार|सिर्फ|केवल|बस|aur|lekin|par|magar|kyunki|is_baar|sirf|"
                "फिर|phir|अगर|agar|मुझे|mujhe"},
    {WORDS_WITH, "इस_बार|is_baar|साथ|के_साथ|ke_saath"},
    {WORDS_JOIN, "और|aur|फिर|phir|fir|लेकिन|बल्कि|balki|या|ya|करके|karke"},
    {WORDS_BACK, "मैं|हम|main|hum? वापस|फिर_से|wapas|vapas "
                 "आ_गया|आ_गई|आ_गए|aa_gaya|aa_gayi|aa_gaye|हूँ|hoon|आया हूँ|हूं|hun|hu?"},
    {WORDS_CONSENT, "हाँ|हां|जी|ठीक|अच्छा|haan|han|ji|theek|thik|accha|नहीं|nahi|nahin|बिल्कुल|bilkul"},

    /* ---- Swedish ---- */
    {WORDS_CONTINUE, "fortsätt|fortsätta|fortsätter|vi_fortsätter|återuppta|gå_vidare|kör_vidare|"
                     "jobba_vidare|kör_på|vidare|ta_vid|fortsätt_så med|på|där? "
                     "det|den|samma|gamla|det_gamla|uppgiften|jobbet|vi_slutade|vi_var? "
                     "uppgiften|jobbet|arbetet|gamla?"},
    {WORDS_CONTINUE_HERE, "den|det|samma gamla|förra|samma|uppgift uppgiften|jobbet|arbetet?"},
    {WORDS_CONTINUE_HERE,
     "gör|vi_gör|avsluta|slutför klart? det|den|först|gamla klart|först|gamla?"},
    {WORDS_FRESH, "börja|börjar|starta|vi_börjar|vi_startar "
                  "om|på_nytt|från_början|från_noll|från_scratch|på_ny_kula|med_något_nytt|något_"
                  "nytt|om_från_början|nytt"},
    {WORDS_FRESH_HERE, "om|på_nytt|nytt|ny|något_nytt|ny_start|nystart|från_början|nollställ|en_ny_"
                       "uppgift|ny_uppgift|den_nya|det_nya"},
    {WORDS_FRESH_HERE, "spara|spar|lägg|arkivera|parkera det|den|allt|detta|undan? "
                       "gamla|jobbet|arbetet|undan|åt_sidan|till_senare?"},
    {WORDS_FIRST, "den|det? första|ettan alternativet|valet?"},
    {WORDS_SECOND, "den|det? andra|tvåan alternativet|valet?"},
    {WORDS_THIRD, "den|det? tredje|trean alternativet?"},
    {WORDS_LAST, "den|det? sista alternativet?"},
    {WORDS_ASK, "kan|skulle|får|ska"},
    {WORDS_LEAD, "alternativ|val|svar|nummer|jag|vi|låt_oss|välj|väljer|tar|ta|vill|skulle_vilja|"
                 "ja|jo|japp|ok|okej|bra|då|hej|snälla|gärna|helst|kan_du|kan_vi|nja|så|och|bara|"
                 "absolut|för|hellre|bättre_att|bokstav"},
    {WORDS_LEAD_NO, "nej|nä"},
    {WORDS_TAIL, "tack|snälla|gärna|då|nu|blir_bra|är_bäst|helst|ok|okej|istället|bra|tack_så_"
                 "mycket|bara|direkt"},
    {WORDS_POLITE, "snälla|bara"},
    {WORDS_NOT, "inte|ingen|inget|aldrig|vill_inte|istället_för|utan|behöver_inte"},
    {WORDS_NOT_AFTER, "inte"},
    {WORDS_UNDECIDED,
     "nej|ingen|inget|båda|bägge|båda_två|spelar_ingen_roll|vilken_som_helst|vad_som_helst|vet_"
     "inte|jag_vet_inte|ingen_aning|osäker|vänta|vänta_lite|ett_ögonblick|senare|kanske|hoppa_över|"
     "hm|va|vad|varför|imorgon|du_väljer|välj_du|svårt_att_säga|inte_nu|eller|i_den_ordningen"},
    {WORDS_NEITHER, "ingen|inget|inga av_dem|av_dom"},
    {WORDS_NEITHER, "varken_eller|något_annat|nåt_annat|ingetdera"},
    {WORDS_DROP, "strunta|skit|glöm|släpp|lägg|avbryt|avboka|skrota|ställ "
                 "i_det|det|allt|allting|ner_det|hela_grejen|uppgiften|projektet|in_det?"},
    {WORDS_DROP, "glöm|strunta_i|skrota|avbryt hela|alla? @task"},
    {WORDS_DROP, "behövs|behöver|vi_behöver|jag_behöver det|den? inte|inte_längre längre|det?"},
    {WORDS_BUT,
     "och|men|för|eftersom|denna_gång|den_här_gången|bara|fast|om|när|sen|sedan|så|dock|nu|jag"},
    {WORDS_WITH, "med|för|på|utan|i|den_här_gången"},
    {WORDS_JOIN, "och|sen|sedan|men|utan|eller|hellre"},
    {WORDS_BACK, "jag_är|vi_är|nu_är_jag|är? tillbaka|här nu|igen?"},
    {WORDS_CONSENT, "ja|nej|jo|japp|ok|okej|visst|absolut|gärna"},

    /* ---- Vietnamese ---- */
    {WORDS_CONTINUE, "tiếp_tục|làm_tiếp|tiếp|cứ_tiếp_tục|đi_tiếp|làm_nốt|quay_lại "
                     "đi|nào|nhé|với|việc|công_việc|cái? "
                     "đó|cũ|này|trước|việc_cũ|đang_làm|công_việc_đó|dở_dang? đi|nhé|thôi?"},
    {WORDS_CONTINUE_HERE, "việc|cái|công_việc cũ|trước|đó|đang_làm|dở_dang"},
    {WORDS_FRESH, "bắt_đầu|khởi_động|làm "
                  "lại|mới|việc_mới|cái_mới|từ_đầu|lại_từ_đầu|lại_từ_số_không từ_đầu|mới|đi|nhé?"},
    {WORDS_FRESH_HERE,
     "mới|cái_mới|việc_mới|từ_đầu|lại_từ_đầu|công_việc_mới|nhiệm_vụ_mới|yêu_cầu_mới"},
    {WORDS_FRESH_HERE,
     "lưu|lưu_lại|cất|cất_đi nó|lại|cái_cũ|việc_cũ|công_việc|việc_đó? lại|đi|sang_một_bên?"},
    {WORDS_FIRST, "cái|lựa_chọn|phương_án|câu|số? đầu_tiên|thứ_nhất|đầu"},
    {WORDS_SECOND, "cái|lựa_chọn|phương_án|câu|số? thứ_hai|sau"},
    {WORDS_LAST, "cái|lựa_chọn? cuối|cuối_cùng"},
    {WORDS_OTHER, "cái|lựa_chọn kia|khác|còn_lại"},
    {WORDS_ASK, "có_thể|được_không"},
    {WORDS_LEAD, "chọn|lựa_chọn|phương_án|đáp_án|câu|số|tôi|mình|em|anh|chúng_ta|ta|hãy|muốn|xin|"
                 "vâng|dạ|ừ|ok|được|rồi|thì|vậy|chào|làm_ơn|cứ|thôi|lấy|tốt_hơn|nên|và"},
    {WORDS_LEAD_NO, "không|ko"},
    {WORDS_TAIL,
     "đi|nhé|nha|ạ|thôi|cảm_ơn|giúp_tôi|giúp_mình|luôn|ngay|được_rồi|nào|với|rồi|bây_giờ|làm_ơn"},
    {WORDS_NOT, "không|đừng|khỏi|không_cần|ko|không_muốn|thay_vì|chưa"},
    {WORDS_UNDECIDED,
     "không|cả_hai|cả_2|cái_nào_cũng_được|sao_cũng_được|tùy|tùy_bạn|không_biết|không_rõ|chưa_biết|"
     "ko_biết|chờ|chờ_chút|đợi|đợi_chút|khoan|để_sau|lát_nữa|có_thể|bỏ_qua|hmm|gì|sao|tại_sao|ngày_"
     "mai|khó_nói|hoặc|hay|chưa_phải_bây_giờ"},
    {WORDS_NEITHER, "không_cái_nào|không_cái_nào_cả|cả_hai_đều_không|chẳng_cái_nào|việc_khác|cái_"
                    "gì_đó_khác|thứ_khác"},
    {WORDS_DROP, "bỏ|bỏ_đi|hủy|huỷ|hủy_bỏ|quên|quên_đi|thôi|thôi_bỏ|dừng_lại|dẹp|dẹp_đi "
                 "nó|đi|hết|tất_cả|việc_đó|việc_này|luôn|không_làm_nữa|công_việc?"},
    {WORDS_DROP, "không cần|làm|muốn nữa|làm_nữa|nó_nữa"},
    {WORDS_BUT, "và|nhưng|vì|lần_này|chỉ|tuy_nhiên|nếu|khi|rồi|sau_đó|nhớ|mà"},
    {WORDS_WITH, "với|cho|bằng|dùng|lần_này"},
    {WORDS_JOIN, "và|rồi|sau_đó|nhưng|mà|hoặc|hay"},
    {WORDS_BACK, "tôi|mình|em? đã? quay_lại|trở_lại|về|đây rồi|đây?"},
    {WORDS_CONSENT, "vâng|dạ|ừ|có|không|được|ok|đồng_ý"},

    /* ---- Indonesian ---- */
    {WORDS_CONTINUE,
     "lanjut|lanjutkan|lanjutin|teruskan|terusin|terus|melanjutkan|kita_lanjutkan|ayo_lanjut "
     "aja|saja|dong|dengan|yang|kerja|pekerjaan|tugas|itu|dari? "
     "itu|tadi|lama|sebelumnya|pekerjaan|tugas|yang_lama|yang_tadi|terakhir_kali|aja|saja?"},
    {WORDS_CONTINUE_HERE, "yang|tugas|pekerjaan lama|tadi|sebelumnya|sama|itu|yang_lama"},
    {WORDS_CONTINUE_HERE, "selesaikan|selesaiin dulu|itu|yang yang|dulu|lama|itu? tadi|lama?"},
    {WORDS_FRESH, "mulai|memulai|mulailah|ayo_mulai lagi|dari? "
                  "baru|ulang|awal|nol|dari_awal|dari_nol|yang_baru|sesuatu_yang_baru "
                  "dari_awal|dari_nol|aja|saja|lagi?"},
    {WORDS_FRESH_HERE, "baru|yang_baru|dari_awal|dari_nol|ulang|tugas_baru|pekerjaan_baru|"
                       "permintaan_baru|sesuatu_yang_baru|awal_baru"},
    {WORDS_FRESH_HERE,
     "simpan|simpen|arsipkan|taruh|sisihkan itu|dulu|semuanya|yang_lama|pekerjaan|tugas|aja|saja? "
     "itu|dulu|lama|aja|saja?"},
    {WORDS_FIRST, "yang|pilihan|opsi|nomor? pertama|kesatu"},
    {WORDS_SECOND, "yang|pilihan|opsi|nomor? kedua"},
    {WORDS_THIRD, "yang|pilihan|opsi|nomor? ketiga"},
    {WORDS_LAST, "yang|pilihan|opsi? terakhir"},
    {WORDS_OTHER, "yang|pilihan|opsi satunya|satu_lagi|lain|lainnya"},
    {WORDS_ASK, "bisa|bolehkah|boleh|bisakah"},
    {WORDS_LEAD, "pilih|pilihan|opsi|jawaban|nomor|saya|aku|kita|kami|mau|ingin|ayo|yuk|tolong|"
                 "mohon|ya|iya|oke|ok|baik|baiklah|kalau_begitu|halo|hai|lebih_baik|mending|"
                 "sebaiknya|silakan|dan|jadi|huruf|yg|biar"},
    {WORDS_LEAD_NO, "tidak|nggak|enggak|gak|ga|bukan"},
    {WORDS_TAIL, "aja|saja|dong|ya|deh|tolong|terima_kasih|makasih|sekarang|lagi|dulu|oke|ok|kak|"
                 "mas|mbak|bang|lebih_baik|langsung"},
    {WORDS_NOT, "jangan|tidak|nggak|gak|ga|tidak_usah|tak_usah|gak_usah|nggak_usah|tidak_perlu|gak_"
                "perlu|bukan|daripada|tanpa|tidak_mau|gak_mau"},
    {WORDS_UNDECIDED,
     "tidak|dua_duanya|dua-duanya|keduanya|kedua-duanya|terserah|terserah_kamu|yang_mana_saja|mana_"
     "saja|bebas|tidak_tahu|gak_tahu|gak_tau|nggak_tau|entah|entahlah|belum_tahu|tunggu|tunggu_"
     "sebentar|sebentar|bentar|nanti|nanti_dulu|mungkin|lewati|skip|hmm|apa|kenapa|besok|sulit_"
     "dikatakan|atau|jangan_sekarang"},
    {WORDS_NEITHER, "bukan_keduanya|tidak_keduanya|tidak_dua-duanya|tidak_ada|bukan_dua-duanya|"
                    "yang_lain|hal_lain|sesuatu_yang_lain"},
    {WORDS_DROP,
     "lupakan|lupain|batalkan|batalin|batal|hentikan|buang|tinggalkan|tidak_jadi|nggak_jadi|gak_"
     "jadi|sudahlah|udahlah saja|aja|itu|semua|semuanya|tugas_itu|pekerjaan_itu|tugas|pekerjaan?"},
    {WORDS_DROP, "sudah_tidak|tidak|udah_gak|gak perlu|butuh|diperlukan|dibutuhkan lagi"},
    {WORDS_BUT, "dan|tapi|tetapi|karena|kali_ini|hanya|cuma|namun|kalau|lalu|kemudian|terus|"
                "sekarang|saya|aku|tolong"},
    {WORDS_WITH, "dengan|pakai|untuk|tanpa|kali_ini|pake"},
    {WORDS_JOIN, "dan|lalu|terus|kemudian|tapi|atau|melainkan"},
    {WORDS_BACK, "saya|aku|kami? sudah|udah? kembali|balik|di_sini|hadir lagi|nih|sekarang?"},
    {WORDS_CONSENT, "ya|iya|tidak|oke|baik|baiklah|nggak|gak|boleh|tentu"},

    /* ---- Doubt: whoever says so has not decided ---- */
    {WORDS_MAYBE,
     "maybe|perhaps|possibly|could_be|might_be|may_be|might|not_sure_if|not_sure_about|not_so_sure|"
     "unsure_about|or_not|or_maybe|i_wonder|i'm_torn|torn_between|half_inclined|tempted"},
    {WORDS_MAYBE, "vielleicht|eventuell|evtl|womöglich|möglicherweise|könnte_sein|kann_sein|"
                  "unsicher|nicht_sicher|"
                  "oder_nicht|oder_doch_nicht|bin_unschlüssig"},
    {WORDS_MAYBE,
     "quizá|quizás|tal_vez|a_lo_mejor|acaso|puede_que|puede_ser|podría_ser|no_estoy_seguro|"
     "no_estoy_segura|o_no|no_lo_tengo_claro"},
    {WORDS_MAYBE,
     "peut_être|éventuellement|ça_se_peut|pas_sûr|pas_sûre|pas_certain|pas_certaine|ou_pas|"
     "je_ne_suis_pas_sûr|je_ne_suis_pas_sûre|j'hésite"},
    {WORDS_MAYBE,
     "talvez|quem_sabe|pode_ser|se_calhar|porventura|não_tenho_certeza|não_tenho_a_certeza|ou_não|"
     "estou_na_dúvida"},
    {WORDS_MAYBE,
     "forse|magari|può_darsi|potrebbe_essere|non_sono_sicuro|non_sono_sicura|o_no|sono_indeciso|"
     "sono_indecisa"},
    {WORDS_MAYBE,
     "может|может_быть|можетбыть|мб|возможно|не_уверен|не_уверена|сомневаюсь|или_нет|вряд_ли"},
    {WORDS_MAYBE, "може|може_бути|можливо|мабуть_що|не_впевнений|не_впевнена|вагаюся|чи_ні|або_ні"},
    {WORDS_MAYBE,
     "może|być_może|możliwe|nie_jestem_pewny|nie_jestem_pewna|nie_jestem_pewien|waham_się|czy_nie|"
     "albo_nie|niepewny|niepewna"},
    {WORDS_MAYBE, "možná|snad|nejsem_si_jistý|nejsem_si_jistá|váhám|nebo_ne|nevím_jistě"},
    {WORDS_MAYBE, "misschien|wellicht|mogelijk|zou_kunnen|kan_zijn|niet_zeker|weet_niet_zeker|ik_"
                  "twijfel|of_niet|"
                  "of_toch_niet"},
    {WORDS_MAYBE, "belki|belki_de|olabilir|emin_değilim|pek_emin_değilim|kararsızım"},
    {WORDS_MAYBE,
     "也许|也許|可能|或许|或許|说不定|說不定|大概吧|不确定|不確定|不太确定|不一定|拿不准"},
    {WORDS_MAYBE,
     "たぶん|多分|もしかしたら|もしかして|かもしれない|かもしれません|かも|自信ない|自信がない|"
     "迷っています|迷ってる|迷う|わからない|分からない|わかりません"},
    {WORDS_MAYBE, "아마|아마도|어쩌면|혹시|확실하지_않아|확실하지_않아요|확실하지_않은데|확실치_"
                  "않아|고민_중|고민중|"
                  "잘_모르겠어|잘_모르겠어요|잘_모르겠는데|일지도"},
    {WORDS_MAYBE,
     "ربما|يمكن|لعل|قد_يكون|لست_متأكدا|لست_متأكدة|مش_متأكد|مش_متأكدة|غير_متأكد|مو_متأكد|محتار|"
     "ما_أدري"},
    {WORDS_MAYBE, "शायद|हो_सकता_है|पक्का_नहीं|पक्का_नहीं_है|यकीन_नहीं|निश्चित_नहीं|shayad|ho_sakta_hai|"
                  "pakka_nahi|pakka_nahin|yakeen_nahi|sure_nahi|sure_nahin"},
    {WORDS_MAYBE, "kanske|möjligen|eventuellt|kan_vara|inte_säker|är_inte_säker|osäker|eller_inte|"
                  "tveksam|tvekar"},
    {WORDS_MAYBE, "có_lẽ|có_thể_là|biết_đâu|chắc_là_không|không_chắc|chưa_chắc|phân_vân|hay_không"},
    {WORDS_MAYBE,
     "mungkin|barangkali|bisa_jadi|kurang_yakin|tidak_yakin|gak_yakin|nggak_yakin|ragu|atau_tidak|"
     "belum_yakin"},

    /* ---- Leaning to one is choosing it ---- */
    {WORDS_LEAD,
     "i_believe|i_suppose|i_reckon|i_figure|probably|most_likely|likely|presumably|i'd_guess|guess|"
     "think|i'd_say|id_say|lol|haha|hehe|hm_then|leaning_towards|leaning_to|my_guess_is|let's_say|"
     "i'm_for|all_for|in_favour_of|in_favor_of"},
    {WORDS_TAIL, "i_suppose|i_believe|i_reckon|probably|most_likely|i'd_guess|i_think_so|hehe|"
                 "guess|it_shall_be|"
                 "it_will_be|for_me_please"},
    {WORDS_LEAD,
     "ich_glaube|ich_denke|ich_meine|ich_schätze|glaub|glaube|denke|wahrscheinlich|vermutlich|wohl|"
     "ich_tendiere_zu|tendiere_zu|sagen_wir|ich_sag_mal|ich_sage|äh|ähm|öhm"},
    {WORDS_TAIL,
     "glaube_ich|glaub_ich|denke_ich|denk_ich|würde_ich_sagen|schätze_ich|wahrscheinlich|wohl"},
    {WORDS_LEAD,
     "creo_que|yo_creo_que|pienso_que|supongo_que|diría_que|probablemente|seguramente|digamos|"
     "me_inclino_por|creo"},
    {WORDS_TAIL, "creo|supongo|diría|yo_creo|probablemente"},
    {WORDS_LEAD, "je_crois_que|je_crois|je_pense_que|je_pense|je_dirais|je_suppose_que|sans_doute|"
                 "probablement|c'est|disons|je_penche_pour"},
    {WORDS_TAIL, "je_crois|je_pense|je_suppose|je_dirais|sans_doute"},
    {WORDS_LEAD,
     "acho_que|eu_acho_que|creio_que|penso_que|suponho_que|diria|provavelmente|digamos|acho"},
    {WORDS_TAIL, "acho|eu_acho|creio|suponho|diria_eu"},
    {WORDS_LEAD, "credo_che|credo|penso_che|penso|direi_che|suppongo|probabilmente|diciamo|mi_sa"},
    {WORDS_TAIL, "credo|penso|direi|suppongo|mi_sa"},
    {WORDS_LEAD,
     "думаю|я_думаю|наверное|наверно|пожалуй|скорее|скорее_всего|вероятно|по_моему|кажется|полагаю|"
     "видимо|думаю_что"},
    {WORDS_TAIL, "думаю|наверное|наверно|пожалуй|кажется|видимо"},
    {WORDS_LEAD, "думаю|я_думаю|мабуть|напевно|певно|скоріше|ймовірно|здається|гадаю"},
    {WORDS_TAIL, "думаю|мабуть|напевно|певно|гадаю"},
    {WORDS_LEAD,
     "chyba|myślę|myślę_że|raczej|pewnie|prawdopodobnie|sądzę_że|no|poproszę|powiedzmy"},
    {WORDS_TAIL, "chyba|myślę|raczej|pewnie|poproszę|sądzę"},
    {WORDS_LEAD, "myslím|myslím_že|asi|spíš|spíše|pravděpodobně|řekl_bych|řekla_bych|nejspíš|tak"},
    {WORDS_TAIL, "myslím|asi|spíš|řekl_bych|řekla_bych|nejspíš"},
    {WORDS_LEAD,
     "ik_denk|ik_denk_dat|ik_geloof|denk|waarschijnlijk|vermoedelijk|eerder|laten_we_zeggen"},
    {WORDS_TAIL, "denk_ik|geloof_ik|waarschijnlijk|lijkt_me"},
    {WORDS_LEAD, "sanırım|galiba|herhalde|bence|muhtemelen|büyük_ihtimalle"},
    {WORDS_TAIL, "sanırım|galiba|herhalde|bence"},
    {WORDS_LEAD, "我觉得|我想|我认为|应该|大概|估计|多半|我猜|我看|我覺得"},
    {WORDS_TAIL, "が いい と 思います|思う"},
    {WORDS_TAIL, "と 思います|思う"},
    {WORDS_LEAD, "내_생각엔|제_생각엔|아무래도|역시"},
    {WORDS_TAIL, "같아요|같아|인_것_같아|인_것_같아요|이_나을_듯|요|이요|예요|이에요|입니다|"
                 "부탁해요|부탁해|부탁드려요|부탁합니다"},
    {WORDS_LEAD, "أظن|أعتقد|على_الأرجح|غالبا|أغلب_الظن"},
    {WORDS_TAIL, "أظن|أعتقد|على_الأرجح|غالبا|لو_سمحت|من_فضلك"},
    {WORDS_LEAD, "मुझे_लगता_है|मेरे_ख्याल_से|लगता_है|mujhe_lagta_hai|mere_khayal_se|lagta_hai"},
    {WORDS_TAIL, "लगता_है|lagta_hai"},
    {WORDS_LEAD,
     "jag_tror|tror|jag_tycker|antagligen|troligen|förmodligen|nog|lutar_åt|jag_lutar_åt"},
    {WORDS_TAIL, "tror_jag|tycker_jag|antagligen|troligen|nog"},
    {WORDS_LEAD, "tôi_nghĩ|mình_nghĩ|chắc|chắc_là|em_nghĩ"},
    {WORDS_TAIL, "tôi_nghĩ|chắc_vậy|chắc_thế"},
    {WORDS_LEAD, "kayaknya|sepertinya|kurasa|saya_rasa|menurutku|saya_pikir|aku_pikir"},
    {WORDS_TAIL, "kayaknya|sepertinya|kurasa|menurutku"},

    /* ---- Denied: all but that one, or said to be the wrong one ---- */
    {WORDS_NOT,
     "anything|everything|all|any|whichever but|except|besides|bar|other_than|apart_from|save"},
    {WORDS_NOT,
     "definitely|certainly|absolutely|really|please|preferably|obviously|under_no_circumstances "
     "not|never"},
    {WORDS_NOT,
     "nothing_of|stay_away_from|no_way|hands_off|leave_out|rule_out|not_going_with|not_going_for|"
     "i'm_against|am_against"},
    {WORDS_NOT_AFTER,
     "one|option? is|was|would_be|looks|seems|sounds|is_clearly|is_definitely "
     "the|a? "
     "wrong|bad|wrong_one|mistake|out|no_good|nonsense|not_for_me|off_the_table|not_it|worse|"
     "no_option|terrible|awful|rubbish one|choice|option|idea?"},
    {WORDS_NOT_AFTER,
     "one|option? isn't|is_not|wasn't|was_not|won't_be|doesn't|does_not "
     "the|a|an|what|for|really|work? "
     "right|right_one|i_want|we_want|i_wanted|i_need|i_meant|it|good|option|me|one|work|fit "
     "one|choice|option|idea?"},
    {WORDS_NOT_AFTER, "no|nope|never|not|no_thanks|no_thank_you|no_way"},
    {WORDS_NOT, "alles|alle|jede|egal_was|irgendwas außer|ausser|bis_auf|nur_nicht"},
    {WORDS_NOT,
     "bloß|auf_keinen_fall|bitte|sicher|ganz_sicher|definitiv|hauptsache|lieber|nur nicht|kein"},
    {WORDS_NOT_AFTER,
     "ist|wäre|war|klingt die|das|der|die_ganz|das_ganz? falsch|falsche|schlecht|schlechte|"
     "verkehrt|verkehrte|falscher|blöd|raus|nichts|nicht_richtig|nicht_das_richtige|"
     "nicht_die_richtige|nicht_was_ich_will|keine_option|keine_gute_idee|ein_fehler|quatsch "
     "idee|wahl|option|variante?"},
    {WORDS_NOT_AFTER,
     "nicht|auf_keinen_fall|bitte_nicht|nein|lieber_nicht|eher_nicht|will_ich_nicht"},
    {WORDS_NOT, "todo|cualquier|cualquiera|cualquier_cosa|todas menos|excepto|salvo"},
    {WORDS_NOT, "cualquier_cosa_menos|de_ninguna_manera|nada_de|para_nada|ni_hablar_de"},
    {WORDS_NOT_AFTER,
     "es|sería|está|me_parece|era la|el|una|un|lo? equivocada|equivocado|incorrecta|incorrecto|"
     "mala|malo|mal|errónea|peor|error|que_no_quiero|mala_idea idea|opción?"},
    {WORDS_NOT_AFTER,
     "no|no_es|no_era|no_la|no_me|no_por|nunca la_correcta|la_que_quiero|lo_que_quiero|la_buena|"
     "buena_idea|gusta|sirve|quiero|convence|favor?"},
    {WORDS_NOT, "tout|toutes|n'importe_quoi|tous sauf|excepté|hormis"},
    {WORDS_NOT, "surtout_pas|certainement_pas|pas_question_de|absolument_pas|sauf"},
    {WORDS_NOT_AFTER,
     "est|serait|c'est|était la|le|une|un? mauvaise|mauvais|fausse|faux|erreur|pire|nulle|"
     "mauvaise_idée idée|option|choix?"},
    {WORDS_NOT_AFTER,
     "n'est|c'est? pas la|le|ce|une? bonne|bon|que_je_veux|bonne_idée|celle|bien|possible|"
     "terrible option?"},
    {WORDS_NOT_AFTER, "pas|non|jamais"},
    {WORDS_NOT,
     "tudo|qualquer|qualquer_uma|qualquer_um|qualquer_coisa|todas menos|exceto|exceto_a|fora"},
    {WORDS_NOT, "de_jeito_nenhum|nada_de|nem_pensar_em"},
    {WORDS_NOT_AFTER,
     "é|seria|está|era a|o|uma|um? errada|errado|má|ruim|mau|pior|erro|que_não_quero|má_ideia "
     "ideia|opção?"},
    {WORDS_NOT_AFTER,
     "não|nao|nunca|jamais é|e|era|quero|serve|me? a_certa|o_que_quero|boa|boa_ideia|quero|"
     "serve|agrada?"},
    {WORDS_NOT,
     "tutto|qualsiasi|qualunque|qualsiasi_cosa|tutte tranne|eccetto|fuorché|meno|all'infuori_di"},
    {WORDS_NOT, "assolutamente_no|di_certo_non|certo_non|mai"},
    {WORDS_NOT_AFTER,
     "è|sarebbe|era|mi_sembra quella|quello|la|il|una|un? sbagliata|sbagliato|errata|errato|"
     "peggiore|pessima|brutta|errore|che_non_voglio|cattiva|male idea|scelta|opzione?"},
    {WORDS_NOT_AFTER,
     "no|non|mai è|va|mi|la|lo|era? quella|giusta|quello|bene|voglio|piace|convince|serve? "
     "giusta|giusto|che_voglio?"},
    {WORDS_NOT, "всё|все|что_угодно|любой|любое|любая кроме|только_не|но_не"},
    {WORDS_NOT, "только_не|точно_не|ни_в_коем_случае_не|кроме|никак_не"},
    {WORDS_NOT_AFTER,
     "вариант|это|был|был_бы? неправильный|неправильная|неверный|неверная|плохой|плохая|ошибка|"
     "ошибочный|не_тот|не_та|не_то|не_подходит|не_нужен|не_нужна|не_надо|не_хочу|не_годится|"
     "хуже|плохо вариант|выбор|идея?"},
    {WORDS_NOT_AFTER, "нет|не|никогда"},
    {WORDS_NOT, "все|будь_що|будь_який крім|окрім|тільки_не|але_не"},
    {WORDS_NOT, "тільки_не|точно_не|крім|окрім"},
    {WORDS_NOT_AFTER,
     "варіант|це? неправильний|неправильна|хибний|поганий|помилка|не_той|не_та|не_те|не_підходить|"
     "не_треба|не_хочу варіант|вибір?"},
    {WORDS_NOT_AFTER, "ні|не"},
    {WORDS_NOT, "wszystko|cokolwiek|byle|każda oprócz|poza|prócz|tylko_nie|byle_nie|z_wyjątkiem"},
    {WORDS_NOT, "tylko_nie|na_pewno_nie|byle_nie|oprócz|w_żadnym_razie"},
    {WORDS_NOT_AFTER, "jest|to|byłaby|byłby ta|ten|nie? "
                      "zła|zły|błąd|niewłaściwa|niewłaściwy|kiepska|pomyłka|nie_to|nie_ta "
                      "opcja|pomysł|wybór?"},
    {WORDS_NOT_AFTER, "nie|odpada|nigdy"},
    {WORDS_NOT, "všechno|cokoli|cokoliv|vše kromě|mimo|jen_ne|až_na"},
    {WORDS_NOT, "jen_ne|hlavně_ne|určitě_ne|v_žádném_případě|kromě"},
    {WORDS_NOT_AFTER,
     "je|by_byla|by_byl|není ta|ten|to? špatná|špatný|špatně|chyba|nesprávná|nesprávný|omyl "
     "možnost|volba?"},
    {WORDS_NOT_AFTER, "ne|nikdy|rozhodně_ne"},
    {WORDS_NOT, "alles|wat_dan_ook|om_het_even_wat behalve|uitgezonderd|maar_niet"},
    {WORDS_NOT, "zeker|absoluut|liever|vooral|alsjeblieft niet|geen"},
    {WORDS_NOT_AFTER,
     "is|zou|was|lijkt de|het|een? verkeerde|fout|foute|slecht|slechte|verkeerd|niet_goed|"
     "niet_wat_ik_wil|niets|geen_optie keuze|optie|idee?"},
    {WORDS_NOT_AFTER, "niet|nee|nooit|liever_niet"},
    {WORDS_NOT_AFTER, "hariç|dışında|olmaz|hayır|yanlış|yanlış_olan|kötü|kötü_fikir|istemem|değil "
                      "hepsi|her_şey|ne_olursa_olsun|her_şey_olur|olur|seçenek?"},
    {WORDS_NOT, "除了|除|绝对不要|千万别|千万不要"},
    {WORDS_NOT_AFTER,
     "是? 错|錯|错误|不对|不行|不好|不是|不要|不可以|不合适|除外|不选|不想要 的? 都|都行|都可以?"},
    {WORDS_TAIL, "都行|都可以|以外 都行|都可以|的都行|的都可以?"},
    {WORDS_NOT_AFTER, "は|が? "
                      "違う|違います|ちがう|間違い|間違いです|間違っています|だめ|ダメ|駄目|嫌|"
                      "いや|嫌です|なし|いらない|"
                      "以外|以外で|以外なら|以外がいい|じゃない|ではない|ではありません|じゃなくて|"
                      "ではなく|じゃなく|やめて|よくない 何でも|なんでも|いい|で|です?"},
    {WORDS_NOT_AFTER, "빼고|말고|제외하고|제외|아니야|아니에요|아닙니다|아니고|틀렸어|틀려|틀린|"
                      "싫어|싫어요|안_돼|안돼|"
                      "은_아니야|는_아니야|는_싫어|은_싫어|가_아니야|이_아니야|별로야|별로 "
                      "다|뭐든|전부|아무거나|거야|것|선택이야|괜찮아|좋아?"},
    {WORDS_NOT, "أي_شيء|كل_شيء|أي_واحد|الكل إلا|ما_عدا|عدا|غير|باستثناء"},
    {WORDS_NOT, "إلا|ليس|مش|ليست|مو"},
    {WORDS_NOT_AFTER,
     "هو|هي|خيار? "
     "خطأ|غلط|الخطأ|سيئ|سيء|غير_صحيح|ليس_صحيحا|ليس_ما_أريد|لا_يناسبني|لا|مش|خاطئ|الخاطئ"},
    {WORDS_NOT_AFTER,
     "के_अलावा|को_छोड़कर|छोड़कर|के_सिवा|गलत|ग़लत|नहीं|ठीक_नहीं|नहीं_चाहिए|ke_alawa|ke_alava|"
     "ko_chhodkar|chhodkar|ke_siva|galat|nahi|nahin|theek_nahi|nahi_chahiye "
     "कुछ_भी|सब|है|वाला|विकल्प|kuch_bhi|sab|hai|wala|option? है|चलेगा|hai|chalega?"},
    {WORDS_NOT, "allt|vad_som_helst|alla|allting utom|förutom"},
    {WORDS_NOT, "absolut|definitivt|helst|bara|snälla inte|ej"},
    {WORDS_NOT_AFTER,
     "är|vore|var den|det|ett|en? fel|felet|dålig|dåligt|felaktig|inte_rätt|inte_bra|"
     "inte_vad_jag_vill|sämre|uteslutet idé|val|alternativ|alternativet?"},
    {WORDS_NOT_AFTER, "inte|nej|aldrig"},
    {WORDS_NOT, "mọi_thứ|tất_cả|cái_gì_cũng_được|gì_cũng_được trừ|ngoại_trừ|ngoài"},
    {WORDS_NOT, "trừ|ngoại_trừ|không_phải|không_phải_là|chứ_không_phải|đừng_chọn|không_chọn"},
    {WORDS_NOT_AFTER, "là|thì? sai|không_đúng|không_được|không_phải|không|không_ổn|tệ"},
    {WORDS_NOT, "apa_saja|apapun|semua|yang_mana_saja kecuali|selain|asal_bukan|asal_jangan"},
    {WORDS_NOT, "kecuali|selain|asal_bukan|asal_jangan|bukan_yang"},
    {WORDS_NOT_AFTER,
     "itu|adalah? salah|keliru|yang_salah|jelek|tidak_benar|tidak_cocok|bukan|jangan|tidak"},

    /* ---- What a number counts ---- */
    {WORDS_UNIT,
     "more|other|last|quick|short? "
     "sec|secs|second|seconds|min|mins|minute|minutes|hour|hours|hr|hrs|day|"
     "days|week|weeks|month|months|year|years|moment|moments|mo|tick|ticks|bit|while|little_while|"
     "little|lot|lots|couple|few|thing|things|question|questions|problem|problems|point|points|"
     "note|"
     "time|times|percent|people|person|of_them|of_those|of_these|euros|euro|dollars|dollar|pounds|"
     "bucks|pm|am|oclock|o_clock|point|idea|ideas|coffee|tea|break|sip|call|phone_call"},
    {WORDS_UNIT,
     "kurze|kurzen|kleine|kleinen|weitere|ganze? "
     "sek|sekunde|sekunden|sekündchen|minute|minuten|minütchen|"
     "stunde|stunden|std|tag|tage|tagen|woche|wochen|monat|monate|jahr|jahre|uhr|moment|momente|"
     "momentchen|augenblick|augenblicke|mal|frage|fragen|ding|dinge|sachen|sache|punkt|punkte|"
     "prozent|leute|stück|kaffee"},
    {WORDS_UNIT, "segundo|segundos|segundito|minuto|minutos|minutito|minutitos|hora|horas|día|días|"
                 "semana|semanas|"
                 "mes|meses|año|años|momento|momentito|rato|ratito|vez|veces|pregunta|preguntas|"
                 "cosa|cosas|poco|"
                 "personas|instante|café|duda|dudas"},
    {WORDS_UNIT,
     "petite|petit|petites? sec|secs|seconde|secondes|minute|minutes|min|heure|heures|jour|jours|"
     "semaine|semaines|mois|an|ans|moment|instant|instants|fois|question|questions|chose|choses|"
     "personnes|peu|café"},
    {WORDS_UNIT, "segundinho|segundinhos|minutinho|minutinhos|momentinho|instantinho|hora|dia|dias|"
                 "mês|meses|ano|"
                 "anos|tempo|vezes|dúvida|dúvidas|pessoas|pouco|pouquinho|bocado|bocadinho|"
                 "pergunta|perguntas|coisa|coisas"},
    {WORDS_UNIT, "secondo|secondi|secondino|minuto|minuti|minutino|ora|ore|giorno|giorni|settimana|"
                 "settimane|mese|"
                 "mesi|anno|anni|attimo|attimino|momento|momentino|volta|volte|domanda|domande|"
                 "cosa|cose|istante|persone|po'|caffè"},
    {WORDS_UNIT, "сек|секунда|секунду|секунды|секунд|секундочку|мин|минута|минуту|минуты|минут|"
                 "минутку|минуточку|час|"
                 "часа|часов|день|дня|дней|неделю|недели|недель|месяц|месяца|месяцев|год|года|лет|"
                 "момент|раз|раза|"
                 "вопрос|вопроса|вопросов|вещь|вещи|человека|человек|штуки|процента"},
    {WORDS_UNIT, "секунду|секунди|секунд|секундочку|хв|хвилина|хвилину|хвилини|хвилин|хвилинку|"
                 "хвилиночку|годину|години|"
                 "годин|день|дні|днів|тиждень|тижні|тижнів|місяць|рік|роки|років|момент|раз|рази|"
                 "питання|хвильку|мить"},
    {WORDS_UNIT, "sekunda|sekundę|sekundy|sekund|sekundkę|minuta|minutę|minuty|minut|minutkę|"
                 "minutki|godzinę|godziny|"
                 "godzin|dzień|dni|tydzień|tygodnie|miesiąc|miesiące|rok|lata|lat|moment|momencik|"
                 "chwilę|chwilkę|"
                 "chwileczkę|raz|razy|pytanie|pytania|rzecz|rzeczy|osoby"},
    {WORDS_UNIT,
     "sekunda|sekundu|sekundy|vteřina|vteřinu|vteřiny|vteřinku|minutu|minuty|minutku|minutek|"
     "minutky|"
     "hodinu|hodiny|hodin|den|dny|dní|týden|týdny|měsíc|měsíce|rok|roky|let|chvíli|chvilku|okamžik|"
     "krát|otázku|otázka|otázky|věc|věci|lidi"},
    {WORDS_UNIT,
     "sec|seconde|seconden|secondje|minuut|minuten|minuutje|minuutjes|uur|uren|uurtje|dag|dagen|"
     "week|"
     "weken|maand|maanden|jaar|moment|momentje|ogenblik|ogenblikje|keer|vraag|vragen|vraagje|ding|"
     "dingen|tel|tellen|mensen|beetje|koffie"},
    {WORDS_UNIT,
     "sn|saniye|saniyecik|dk|dakika|dakikacık|saat|gün|hafta|ay|yıl|sene|an|kere|kez|defa|soru|şey|"
     "kişi|dakka"},
    {WORDS_UNIT, "个|個|分|秒|小|几|多? "
                 "分|秒|分钟|分鐘|秒钟|秒鐘|小时|小時|钟头|天|日|星期|周|月|年|点|點|会儿|下|问题|"
                 "件事|次|人|句|时间"},
    {WORDS_UNIT, "分|分間|秒|秒間|時間|時|日|日間|週間|か月|ヶ月|年|回|人|つ|個|点|分だけ|秒だけ|"
                 "分ほど 待って|ください?"},
    {WORDS_UNIT, "초|초만|초만요|분|분만|분만요|분간|분만_더|시간|시간만|일|주|주일|달|개월|년|번|"
                 "가지|개|명|시|분_뒤에|분_후에|분_정도|분_기다려"},
    {WORDS_UNIT, "ثانية|ثواني|ثوان|دقيقة|دقائق|دقايق|ساعة|ساعات|يوم|أيام|أسبوع|أسابيع|شهر|أشهر|سنة|"
                 "لحظة|لحظات|مرة|مرات|سؤال|أسئلة"},
    {WORDS_UNIT,
     "सेकंड|सेकेंड|मिनट|घंटा|घंटे|दिन|हफ्ते|हफ्ता|महीने|महीना|साल|पल|बार|सवाल|बात|बातें|लोग|second|sec|minute|"
     "minat|min|ghanta|ghante|din|hafte|mahine|saal|pal|baar|sawal|baat|baatein"},
    {WORDS_UNIT, "sek|sekund|sekunder|minut|minuter|timme|timmar|dag|dagar|vecka|veckor|månad|"
                 "månader|år|ögonblick|"
                 "stund|liten_stund|gång|gånger|fråga|frågor|sak|saker|personer"},
    {WORDS_UNIT,
     "giây|phút|tiếng|giờ|ngày|tuần|tháng|năm|lát|chút|lần|câu|câu_hỏi|việc|người|phút_nữa"},
    {WORDS_UNIT, "detik|menit|jam|hari|minggu|bulan|tahun|saat|kali|pertanyaan|hal|orang|menitan"},
    {WORDS_UNDECIDED,
     "eine|einen|ein|un|una|une|uma|um|en|ett|een|один|одну|одна|jedną|jeden|jednu|bir|bi|một|satu|"
     "한|"
     "एक|ek|waahid kurze|kleinen|kleine|petit|petite? "
     "moment|momentje|momentito|sekunde|sekund|minute|minut|minuut|minuutje|"
     "augenblick|ogenblik|ogenblikje|segundo|segundito|minuto|minutito|momento|rato|ratito|seconde|"
     "instant|secondo|attimo|attimino|istante|instante|momentinho|minutinho|segundinho|pouco|"
     "секунду|"
     "минуту|минутку|секундочку|минуточку|момент|хвилину|хвилинку|секунди|мить|sekundę|minutę|"
     "minutkę|chwilę|chwilkę|chwileczkę|sekundu|minutu|chvíli|chvilku|okamžik|vteřinu|ögonblick|"
     "stund|"
     "saniye|dakika|an|dakka|phút|chút|lát|giây|detik|menit|saat|minggu|मिनट|सेकंड|पल|minute|second|"
     "min|sec|초|분"},
    {WORDS_UNDECIDED,
     "momento|attimo|momentje|ogenblik|ogenblikje|секунду|секундочку|минуту|минутку|минуточку|"
     "хвилинку|"
     "хвилину|секунду_будь_ласка|момент|chwileczkę|chwilkę|chwilę|momencik|sekundę|sekundkę|"
     "chvilku|"
     "chviličku|okamžik|momentík|dakika|bekle_biraz|一下|稍等|稍等一下|等一等|等会|等我一下|"
     "分待って|"
     "少し待って|少々お待ちください|ちょっと|ちょっと待ってください|待ってください|잠시만|잠시만요|"
     "조금만_기다려|دقيقة|ثانية|دقيقتين|ثانيتين|لحظة|لحظة_واحدة|لحظات|انتظر_قليلا|استنى|رويدا|"
     "पल|ज़रा_रुको|thoda_ruko|ek_sec|sebentar|bentar_ya|tunggu_bentar|giây_lát|đợi_tí|chờ_tí|vänta_"
     "lite|strax|"
     "dos_minutos|um_minutinho|um_instante|un_attimino|un_secondo|un_minuto|pera|peraí|calma|"
     "espérame|"
     "attends_un_peu|deux_minutes|deux_secondes|zwei_minuten|a_ver|à_plus_tard|à_tout_à_l'heure|"
     "hasta_luego|até_logo|a_dopo|bis_später|bis_gleich|tot_zo|tot_straks"},
    {WORDS_LEAD, "gib_mir|gebt_mir|dame|deme|espérame|donne_moi|laisse_moi|me_dá|me_dê|dá_me|dammi|"
                 "dacci|дай|дай_мне|"
                 "дайте|дай_мені|daj_mi|dej_mi|geef_me|geef_mij|ge_mig|bana|cho_tôi|cho_mình|beri_"
                 "saya|kasih_saya|"
                 "أعطني|اعطيني|मुझे|mujhe|等|等我|あと|もう|딱|noch|nur|nur_noch|só|solo|sólo|juste|"
                 "ancora|ещё|еще|"
                 "только|ще|jeszcze|tylko|ještě|jen|nog|bara|daha|sadece|chỉ|cuma|बस"},

    /* ---- Neither, for now ---- */
    {WORDS_NEITHER,
     "neither|none "
     "for_now|right_now|for_today|today|yet|at_the_moment|at_present|now|so_far|tonight|just_yet|"
     "this_minute|this_week"},
    {WORDS_NEITHER, "neither|none of_them|of_those|of_these|of_the_two|of_both "
                    "for_now|right_now|for_today|today|yet|now|just_yet"},
    {WORDS_NEITHER,
     "vorerst|erstmal|erst_mal|jetzt|im_moment|momentan|gerade|heute|vorläufig|fürs_erste? "
     "keins|keines|keine|nichts|weder_noch von_beiden|davon? "
     "vorerst|erstmal|erst_mal|jetzt|im_moment|"
     "momentan|gerade|heute|fürs_erste?"},
    {WORDS_NEITHER,
     "por_ahora|de_momento|hoy|ahora? ninguna|ninguno|ninguna_de_las_dos|ninguno_de_los_dos "
     "por_ahora|de_momento|hoy|ahora|por_el_momento|todavía?"},
    {WORDS_NEITHER,
     "pour_l'instant|pour_le_moment|maintenant|là? "
     "aucun|aucune|ni_l'un_ni_l'autre|ni_l'une_ni_l'autre|aucune_des_deux|aucun_des_deux "
     "pour_l'instant|pour_le_moment|maintenant|aujourd'hui|là?"},
    {WORDS_NEITHER, "por_enquanto|por_agora|hoje? nenhum|nenhuma|nenhuma_das_duas|nenhum_dos_dois "
                    "por_enquanto|por_agora|agora|hoje|ainda?"},
    {WORDS_NEITHER,
     "per_ora|per_adesso|oggi|adesso? nessuno|nessuna|nessuna_delle_due|nessuno_dei_due "
     "per_ora|per_adesso|oggi|adesso|ancora|al_momento?"},
    {WORDS_NEITHER,
     "пока|сейчас|сегодня|пока_что? "
     "ни_то_ни_другое|ни_один|ни_одно|ни_одного|никакой|ничего|не_надо_ни_того_ни_другого "
     "пока|сейчас|сегодня|пока_что?"},
    {WORDS_NEITHER, "поки|зараз|поки_що|сьогодні? жоден|жодного|жодна|жодне|ні_те_ні_інше "
                    "поки|зараз|поки_що|сьогодні?"},
    {WORDS_NEITHER, "na_razie|teraz|dziś|dzisiaj? "
                    "żadna|żaden|żadne|żadnej|żadnego|ani_jedno_ani_drugie na_razie|teraz|dziś?"},
    {WORDS_NEITHER, "zatím|teď|dnes|prozatím? "
                    "ani_jedno|ani_jeden|ani_jednu|žádná|žádné|žádný|žádnou|nic zatím|teď|dnes?"},
    {WORDS_NEITHER, "voorlopig|nu|vandaag|even|op_dit_moment? "
                    "geen|geen_van_beide|geen_van_de_twee|geen_van_tweeën "
                    "voorlopig|nu|vandaag|even|op_dit_moment?"},
    {WORDS_NEITHER, "şimdilik|şu_an|bugün|şimdi? hiçbiri|hiç_biri|hiçbirini|ikisi_de_değil "
                    "şimdilik|şu_an|bugün|şimdi?"},
    {WORDS_NEITHER, "先|暂时|现在|目前|今天? 都先? 都? 先? 不要|不选|不用|不是|都不 了|吧?"},
    {WORDS_NEITHER, "今は|とりあえず|今日は|まだ? どちらも|どっちも|どちらでも|両方 "
                    "いい|いらない|いりません|違う|違います|ない|だめ|やめて|結構|選ばない です?"},
    {WORDS_NEITHER, "지금은|일단|일단은|오늘은|아직? 둘_다|둘다|어느_것도|아무것도 "
                    "아니야|아니에요|아냐|됐어|싫어|안_해|안_할래|말고"},
    {WORDS_NEITHER, "الآن|حاليا|اليوم? ولا_واحد|ولا_واحدة|لا_هذا_ولا_ذاك|لا_شيء|لا_أريد_أيا_منهما "
                    "الآن|حاليا|اليوم|منهما?"},
    {WORDS_NEITHER, "अभी|फिलहाल|आज|abhi|filhal|aaj? "
                    "कोई|कोई_भी|दोनों_में_से_कोई|koi|koi_bhi|dono_mein_se_koi नहीं|नही|nahi|nahin"},
    {WORDS_NEITHER, "just_nu|idag|för_tillfället? ingen|inget|ingetdera|varken_eller "
                    "av_dem|av_dom|av_de_två? just_nu|än|idag|för_tillfället|nu?"},
    {WORDS_NEITHER,
     "bây_giờ|hiện_giờ|tạm_thời? chưa|không chọn|muốn|cần? cái_nào|cái_nào_cả cả|lúc_này|bây_giờ?"},
    {WORDS_NEITHER, "sekarang|sementara|untuk_sekarang? "
                    "dua_duanya|keduanya|tidak_keduanya|tidak_satupun|bukan_keduanya "
                    "jangan_dulu|tidak|jangan|dulu|jangan_sekarang"},

    /* ---- Having no preference. Elsewhere some of it gives a task up; to "A or B?" it takes neither way ---- */
    {WORDS_UNDECIDED,
     "it|that|this|they? really? doesn't|does_not|don't|do_not matter|make_a_difference "
     "to_me|for_me|to_us|much|which|which_one|either_way|really?"},
    {WORDS_UNDECIDED, "it|that|this? makes no difference to_me|for_me|to_us?"},
    {WORDS_UNDECIDED, "i|we? really? don't|do_not care|mind about_it|about_that|which|which_one|"
                      "either_way|much|at_all?"},
    {WORDS_UNDECIDED, "it's|it_is|that's|that_is|isn't|it_isn't|that_isn't? not "
                      "important|so_important|that_important"},
    {WORDS_UNDECIDED, "it_isn't|that_isn't|isn't important|so_important|that_important"},
    {WORDS_UNDECIDED,
     "both|either|any|all|each of_them|of_those|of_these|one? are|is|would_be|sounds|"
     "sound|works|work? fine|ok|okay|good|great|alright|all_right|right|possible|perfect "
     "with_me|for_me|by_me|to_me|too?"},
    {WORDS_UNDECIDED,
     "both|either|any|each of_them|of_those|of_these|one? works|work|will_do|would_do|"
     "will_work|would_work with_me|for_me?"},
    {WORDS_UNDECIDED,
     "es|das|mir? ist mir|uns|doch? egal|gleich|gleichgültig|wurscht|wurst|schnuppe|"
     "einerlei|nicht_wichtig|unwichtig"},
    {WORDS_UNDECIDED, "das|es? spielt|macht für_mich|da? keine|keinen rolle|unterschied"},
    {WORDS_UNDECIDED,
     "beides|beide ist|sind|geht|passt|gehen|wäre|wären gut|ok|okay|in_ordnung|recht|"
     "fein|prima|mir_recht?"},
    {WORDS_UNDECIDED, "eso|a_mí? no me|nos? importa cuál|mucho|en_absoluto?"},
    {WORDS_UNDECIDED, "es_lo_mismo|me_es_igual|me_es_indiferente|lo_mismo_da|no_tiene_importancia|"
                      "no_hace_diferencia|ambas_están_bien|ambos_están_bien|las_dos_están_bien"},
    {WORDS_UNDECIDED,
     "ça_m'est_égal|cela_m'est_égal|c'est_égal|ça_n'a_pas_d'importance|pas_d'importance|"
     "ça_ne_change_rien|ça_change_rien|les_deux_me_vont|les_deux_sont_bien"},
    {WORDS_UNDECIDED, "isso|isto? não importa|interessa|faz_diferença|me_importo? muito|qual?"},
    {WORDS_UNDECIDED, "tanto_faz_para_mim|é_indiferente|para_mim_tanto_faz|as_duas_estão_boas"},
    {WORDS_UNDECIDED, "non_importa|non_mi_importa|non_fa_differenza|per_me_è_uguale|è_lo_stesso|"
                      "è_indifferente|mi_è_indifferente|fa_lo_stesso|vanno_bene_entrambe|"
                      "vanno_bene_tutte_e_due"},
    {WORDS_UNDECIDED, "мне|это? всё_равно|все_равно|без_разницы|безразлично|"
                      "не_имеет_значения|не_принципиально"},
    {WORDS_UNDECIDED, "мені|це? неважливо|не_важливо|все_одно|однаково|байдуже|без_різниці|"
                      "не_має_значення"},
    {WORDS_UNDECIDED, "to? nie_ma_znaczenia|nieważne|nie_ważne|bez_różnicy|bez_znaczenia|"
                      "wszystko_jedno|obojętne|nie_robi_różnicy"},
    {WORDS_UNDECIDED, "to|mi? na_tom_nezáleží|nezáleží_na_tom|nezáleží|je_mi_to_jedno|je_to_jedno|"
                      "to_je_jedno"},
    {WORDS_UNDECIDED, "het_maakt_mij_niet_uit|dat_maakt_niet_uit|maakt_mij_niet_uit|allebei_goed|"
                      "beide_zijn_goed|geen_verschil"},
    {WORDS_UNDECIDED, "önemli_değil|fark_etmiyor|benim_için_fark_etmez|ikisi_de_olur|ikisi_de_iyi"},
    {WORDS_UNDECIDED, "无所谓|無所謂|不重要|没差|都一样|都一樣|没区别|都可以|都行"},
    {WORDS_UNDECIDED,
     "どちらでもいいです|どっちでもいい|どっちでもいいです|構いません|かまいません|"
     "気にしない|気にしません"},
    {WORDS_UNDECIDED,
     "중요하지_않아|중요하지_않아요|아무거나_괜찮아|둘_다_괜찮아|둘_다_좋아|상관없습니다"},
    {WORDS_UNDECIDED, "det|mig? spelar_ingen_roll|gör_detsamma|är_likgiltigt|kvittar|båda_går_bra"},
    {WORDS_UNDECIDED, "không_quan_trọng|không_thành_vấn_đề|cả_hai_đều_được|tidak_masalah_yang_mana|"
                      "tidak_penting|dua_duanya_boleh|keduanya_boleh"},

    {WORDS_LEAD, "i_said|i_just_said|i_already_said|as_i_said|like_i_said"},

    /* ---- Wanting to know ---- */
    {WORDS_BEFORE,
     "before|bevor|ehe|antes_de|antes_que|avant_de|avant_que|avant|antes|prima_di|prima_che|prima|"
     "прежде_чем|"
     "перед_тем_как|до_того_как|перш_ніж|перед_тим_як|zanim|nim|než|předtím_než|voordat|voor_we|"
     "alvorens|"
     "قبل_أن|قبل_ما|قبل|innan|继续之前|开始之前|选之前|決める前に|続ける前に|始める前に|選ぶ前に|"
     "계속하기_전에|"
     "시작하기_전에|고르기_전에|정하기_전에|devam_etmeden_önce|başlamadan_önce|seçmeden_önce|aage_"
     "badhne_se_pehle|"
     "shuru_karne_se_pehle|continue_karne_se_pehle|आगे_बढ़ने_से_पहले|शुरू_करने_से_पहले|चुनने_से_पहले|"
     "trước_khi|sebelum"},
    {WORDS_TELL, "can_you|could_you|please|first|just|but? "
                 "tell|remind|explain|clarify|describe|let me|us know|what|how|which|"
                 "first|again|the|about|if|whether|why|where|when|who"},
    {WORDS_TELL, "explain|describe|clarify|elaborate|compare "
                 "the|both|option|a|b|what|how|why|on|first|this|that|these|difference"},
    {WORDS_TELL, "i|we want|need|would_like|have|got to know|ask"},
    {WORDS_TELL, "i'd_like_to_know|i_wonder_what|i_wonder_how|i_wonder_which|quick_question|i_have_"
                 "a_question|remind_me_what"},
    {WORDS_TELL, "sag|sage|sagt|sagen_sie|verrat|verrate|erklär|erkläre|erzähl|erinner|erinnere "
                 "mir|uns|mich|doch|mal"},
    {WORDS_TELL, "erklär|erkläre|erläutere|vergleiche|ich_will_wissen|ich_möchte_wissen|wüsste_"
                 "gern|kurze_frage|eine_frage"},
    {WORDS_TELL, "dime|dígame|decime|explícame|explica|explicame|cuéntame|recuérdame|aclárame|"
                 "quiero_saber|quisiera_saber|compara|"
                 "una_pregunta|una_duda"},
    {WORDS_TELL, "dis_moi|dites_moi|explique|expliquez|explique_moi|rappelle_moi|précise|je_veux_"
                 "savoir|je_voudrais_savoir|"
                 "compare|une_question"},
    {WORDS_TELL, "me_diz|diz_me|me_diga|diga_me|me_explica|explica|explique|me_conta|me_lembra|"
                 "quero_saber|queria_saber|"
                 "uma_pergunta|uma_dúvida|compara"},
    {WORDS_TELL, "dimmi|mi_dici|spiegami|spiega|ricordami|chiariscimi|vorrei_sapere|voglio_sapere|"
                 "una_domanda|confronta"},
    {WORDS_TELL, "скажи|скажите|объясни|объясните|напомни|напомните|поясни|расскажи|хочу_знать|"
                 "хочу_узнать|подскажи|вопрос"},
    {WORDS_TELL, "скажи|скажіть|поясни|поясніть|нагадай|розкажи|хочу_знати|підкажи|питання"},
    {WORDS_TELL, "powiedz|proszę_powiedzieć|wyjaśnij|wytłumacz|przypomnij|opowiedz|chcę_wiedzieć|"
                 "chciałbym_wiedzieć|chciałabym_wiedzieć|porównaj|pytanie"},
    {WORDS_TELL, "řekni|řekněte|vysvětli|vysvětlete|připomeň|pověz|chci_vědět|porovnej|otázka"},
    {WORDS_TELL, "zeg|vertel|leg_uit|leg|herinner|ik_wil_weten|ik_zou_graag_weten|vergelijk|"
                 "vraagje|laat_weten me|mij|eens|uit|even|hoe|wat|welke"},
    {WORDS_TELL, "告诉我|告訴我|说说|解释|解釋|讲讲|说一下|解释一下|介绍一下|提醒我|我想知道|请问|"
                 "問一下|问一下|先告诉我|先说说"},
    {WORDS_TELL,
     "قل_لي|قولي|قولي_لي|أخبرني|اخبرني|اشرح|اشرح_لي|وضح_لي|ذكرني|أريد_أن_أعرف|عايز_أعرف|سؤال"},
    {WORDS_TELL, "बताओ|बताइए|बताएं|समझाओ|समझाइए|batao|bataiye|bataen|samjhao|samjhaiye"},
    {WORDS_TELL, "säg|berätta|förklara|påminn|jag_vill_veta|jämför|en_fråga"},
    {WORDS_TELL,
     "cho_tôi_biết|cho_mình_biết|cho_biết|giải_thích|nói_cho_tôi|nói_rõ|nhắc_tôi|so_sánh|cho_hỏi"},
    {WORDS_TELL, "kasih_tahu|kasih_tau|beri_tahu|beritahu|jelaskan|jelasin|ingatkan|ceritakan|"
                 "bandingkan|saya_mau_tahu|mau_tanya"},
    {WORDS_TELL_END,
     "söyle|söyler_misin|söyleyin|anlat|açıkla|anlatır_mısın|hatırlat|bilmek_istiyorum|söylesene|"
     "教えて|教えてください|教えて下さい|教えてほしい|説明して|説明してください|知りたい|"
     "知りたいです|聞かせて|"
     "알려줘|알려줘요|알려주세요|알려_줘|알려_주세요|말해줘|말해_줘|말해주세요|설명해줘|설명해_줘|"
     "설명해주세요|설명해_주세요|"
     "궁금해|궁금해요|궁금한데|बताओ|बताइए|बताएं|बता_दो|समझाओ|बताना|batao|bataiye|bata_do|bata|"
     "samjhao|"
     "告诉我|告訴我"},
    {WORDS_ASKS, "what|what's|whats|which|how|why|who|whose|when|where|is_there|are_there|what_if|"
                 "how_come|which_one"},
    {WORDS_ASKS, "was|welche|welcher|welches|welchen|wie|warum|wieso|weshalb|wer|wann|wo|woran|"
                 "womit|worum|wie_lange|wieviel|was_wenn"},
    {WORDS_ASKS, "qué|cuál|cuáles|cómo|por_qué|quién|cuándo|dónde|por_dónde|cuánto|cuánta|cuántos|"
                 "cuántas|en_qué"},
    {WORDS_ASKS, "quoi|quel|quelle|quels|quelles|laquelle|lequel|lesquels|comment|pourquoi|qui|"
                 "quand|combien|qu'est_ce|c'est_quoi|"
                 "est_ce|on_en_était_où|où_en"},
    {WORDS_ASKS,
     "o_que|qual|quais|como|por_que|porquê|porque_é|quem|quando|onde|quanto|quantos|quanta"},
    {WORDS_ASKS, "che_cosa|cosa|quale|quali|come|perché|chi|quando|dove|quanto|quanta|quanti|qual"},
    {WORDS_ASKS, "что|какой|какая|какое|какие|как|почему|зачем|кто|когда|где|сколько|чем|на_чём|а_"
                 "что|а_какой|который|которая"},
    {WORDS_ASKS, "що|який|яка|яке|які|як|чому|навіщо|хто|коли|де|скільки|чим|на_чому|котрий"},
    {WORDS_ASKS, "co|która|który|które|jaki|jaka|jakie|jak|dlaczego|czemu|kto|kiedy|gdzie|ile|czym|"
                 "na_czym|czy"},
    {WORDS_ASKS,
     "která|který|které|jaký|jaká|jaké|jak|proč|kdo|kdy|kde|kolik|čím|co_se|co_je|co_by"},
    {WORDS_ASKS,
     "wat|welke|welk|hoe|waarom|wie|wanneer|waar_waren|waar_waren_we|waarmee|hoeveel|hoelang"},
    {WORDS_ASKS, "hangisi|hangisini|nasıl|neden|niye|kim|ne_zaman|nerede|kaç|ne_kadar|ne_olur|"
                 "nerede_kalmıştık"},
    {WORDS_ASKS, "哪个|哪個|哪一个|哪种|哪|什么|甚么|什麼|为什么|怎么|怎麼|多久|多少|谁|几时|何时|"
                 "会怎么样|会怎样"},
    {WORDS_ASKS,
     "どっち|どちら|どれ|何|なに|なぜ|どうして|どう|いつ|どこ|誰|いくら|どのくらい|どれくらい"},
    {WORDS_ASKS, "어느|어떤|뭐가|무엇|왜|어떻게|언제|어디|어디까지|누가|얼마나|무슨|뭐였지"},
    {WORDS_ASKS,
     "ما_هو|ما_هي|ماذا|أي|أيهما|أيها|كيف|لماذا|ليش|ليه|متى|أين|وين|من_هو|كم|ما_الفرق|إيه|شو"},
    {WORDS_ASKS, "कौन|कौन_सा|कौनसा|कैसे|क्यों|कब|कहाँ|कहां|कितना|कितनी|कितने|kaun|kaunsa|kaun_sa|kaise|"
                 "kyun|kyon|kab|kahan|kitna|kitni"},
    {WORDS_ASKS,
     "vilken|vilket|vilka|hur|varför|vem|när|var_var|var_är|vad_händer|vad_är|vad_skulle|vad_blir"},
    {WORDS_ASKS, "cái_nào|thế_nào|như_thế_nào|tại_sao|vì_sao|ai|khi_nào|ở_đâu|bao_lâu|bao_nhiêu|"
                 "điều_gì|chuyện_gì|nếu"},
    {WORDS_ASKS, "mana|yang_mana|apa_yang|apa_bedanya|bagaimana|gimana|mengapa|siapa|kapan|dimana|"
                 "di_mana|berapa|berapa_lama"},

    /* ---- Orders of their own: something is to be made or to be found ---- */
    {WORDS_ORDER,
     "write|compose|bake|make|create|translate|summarize|summarise|calculate|compute|convert|find|"
     "look_up|look_for|buy|organize|organise|generate|prepare|invite|install|repaint|mow|mend|sell|"
     "recommend|"
     "suggest|invent|sing|sew|knit|pick_out|figure_out|build"},
    /* These are nouns, too: "plan B". */
    {WORDS_ORDER,
     "draft|draw|sketch|paint|cook|design|search|google|research|book|reserve|order|plan|schedule|"
     "compare|print|email|send|call|phone|set_up|download|upload|clean|wash|water|feed|repair|fix|"
     "rent|teach|"
     "count|list|record|check|measure|hang|plant|dig|sweep|cut|pack|get|show "
     "a|an|the|me|my|us|our|some|all|every|two|three|for|out|her|his|their|up|both"},
    {WORDS_WISH, "i|we want|would_like|wanna a|an|some|new|you_to|to_have|my"},
    {WORDS_WISH, "i'd|we'd like a|an|some|you_to|to_have"},
    {WORDS_WISH, "make|get|give me|us a|an|some"},
    {WORDS_ORDER,
     "schreib|schreibe|schreibt|entwirf|verfass|verfasse|zeichne|zeichn|streich|streiche|backe|"
     "koch|koche|baue|erstell|erstelle|gestalte|übersetz|übersetze|berechne|rechne|such|suche|"
     "finde|buche|bestell|bestelle|kaufe|plane|organisiere|vergleiche|drucke|schick|schicke|rufe|"
     "reparier|repariere|putz|putze|mäh|mähe|gieß|gieße|miete|verkauf|verkaufe|zähl|zähle|empfiehl|"
     "reservier|reserviere|besorg|besorge|pflanz|pflanze|installiere|erfinde|näh|nähe|prüf|prüfe"},
    {WORDS_WISH, "ich_will|ich_möchte|ich_hätte_gern|ich_hätte_gerne|wir_wollen|wir_möchten|ich_"
                 "brauche ein|eine|einen|lieber_ein|lieber_eine"},
    {WORDS_ORDER,
     "escribe|escríbeme|escribí|escribime|redacta|dibuja|dibújame|pinta|pintá|píntame|hornea|"
     "cocina|construye|hazme|haceme|crea|créame|diseña|diséñame|traduce|tradúceme|calcula|"
     "calcúlame|convierte|busca|búscame|buscá|buscame|encuentra|encuéntrame|reserva|resérvame|pide|"
     "pídeme|compra|cómprame|planea|planifica|organiza|compara|imprime|envía|envíame|manda|mándale|"
     "mándame|llama|arregla|repara|limpia|riega|alquila|vende|recomiéndame|recomienda|prepara|"
     "prepárame|averigua|investiga|instala|planta|corta|lava"},
    {WORDS_WISH, "quiero|quisiera|me_gustaría|queremos un|una|que_hagas|que_me_hagas|unos|unas"},
    {WORDS_ORDER,
     "écris|écris_moi|écrivez|rédige|rédige_moi|dessine|dessine_moi|peins|repeins|peindre|cuisine|"
     "construis|fais_moi|crée|crée_moi|conçois|traduis|traduis_moi|calcule|convertis|cherche|"
     "cherche_moi|trouve|trouve_moi|trouvez|réserve|réserve_moi|commande|commande_moi|achète|"
     "planifie|organise|imprime|envoie|envoie_moi|appelle|répare|nettoie|arrose|loue|vends|"
     "recommande|prépare|prépare_moi|invente|installe|plante|coupe|lave|tonds|recherche"},
    {WORDS_WISH, "je_veux|je_voudrais|j'aimerais|on_veut|je_préfère un|une|des|que_tu|avoir"},
    {WORDS_ORDER,
     "escreve|escreva|escreve_me|redige|desenha|desenhe|pinta|pinte|cozinha|constrói|faz_me|cria|"
     "crie|desenvolve|traduz|traduza|calcula|calcule|converte|procura|procure|procura_me|busca|"
     "busque|encontra|encontre|acha|ache|arranja|arranja_me|reserva|reserve|encomenda|encomende|"
     "compra|compre|planeja|planeia|organiza|organize|compara|imprime|imprima|envia|envie|manda|"
     "mande|ligue|conserta|conserte|arruma|limpa|limpe|rega|aluga|vende|recomenda|recomende|"
     "prepara|prepare|pesquisa|pesquise|instala|planta|corta|lava"},
    {WORDS_WISH, "quero|queria|gostaria_de|queremos um|uma|que_faças|que_você|ter"},
    {WORDS_ORDER, "scrivi|scrivimi|scrivete|disegna|disegnami|dipingi|dipingimi|vernicia|cucina|"
                  "costruisci|fammi|crea|creami|progetta|traduci|traducimi|riassumi|calcola|"
                  "calcolami|converti|cerca|cercami|trova|trovami|trovaci|prenota|prenotami|ordina|"
                  "ordinami|compra|comprami|pianifica|organizza|confronta|stampa|invia|inviami|"
                  "manda|mandami|chiama|ripara|aggiusta|pulisci|annaffia|affitta|vendi|consiglia|"
                  "consigliami|prepara|preparami|inventa|installa|pianta|taglia|lava|cuoci"},
    {WORDS_WISH, "voglio|vorrei|mi_piacerebbe|vogliamo un|una|che_tu|avere|uno"},
    {WORDS_ORDER,
     "напиши|напишите|составь|сочини|нарисуй|нарисуйте|покрась|покрасьте|испеки|приготовь|построй|"
     "создай|создайте|переведи|переведите|посчитай|рассчитай|вычисли|найди|найдите|поищи|загугли|"
     "забронируй|закажи|закажите|купи|купите|спланируй|организуй|сравни|распечатай|отправь|пришли|"
     "позвони|почини|почисти|помой|полей|продай|подбери|посоветуй|подготовь|придумай|установи|"
     "посади|проверь|разработай|собери|узнай"},
    {WORDS_WISH, "я_хочу|хочу|мне_нужен|мне_нужна|мне_нужно|хотелось_бы "
                 "чтобы|новый|новую|новое|список|таблицу|сайт"},
    {WORDS_ORDER,
     "напиши|напишіть|склади|намалюй|пофарбуй|спечи|приготуй|збудуй|побудуй|створи|створіть|"
     "переклади|порахуй|розрахуй|знайди|знайдіть|пошукай|забронюй|замов|замовте|купи|сплануй|"
     "організуй|порівняй|роздрукуй|надішли|відправ|подзвони|полагодь|почисти|помий|полий|продай|"
     "підбери|порадь|підготуй|придумай|встанови|посади|перевір|дізнайся"},
    {WORDS_ORDER,
     "napisz|napiszcie|ułóż|zredaguj|narysuj|pomaluj|upiecz|ugotuj|zbuduj|stwórz|zaprojektuj|"
     "przetłumacz|streść|policz|oblicz|znajdź|znajdźcie|poszukaj|wyszukaj|zarezerwuj|zamów|kup|"
     "zaplanuj|zorganizuj|porównaj|wydrukuj|wyślij|zadzwoń|napraw|posprzątaj|umyj|podlej|sprzedaj|"
     "poleć|przygotuj|wymyśl|zainstaluj|posadź|sprawdź|skoś"},
    {WORDS_ORDER, "napiš|napište|slož|nakresli|namaluj|natři|upeč|uvař|postav|vytvoř|vytvořte|"
                  "navrhni|přelož|shrň|spočítej|vypočítej|najdi|najděte|vyhledej|hledej|zarezervuj|"
                  "objednej|kup|naplánuj|zorganizuj|vytiskni|pošli|zavolej|oprav|ukliď|umyj|zalij|"
                  "prodej|doporuč|připrav|vymysli|nainstaluj|zasaď|zkontroluj|zjisti"},
    {WORDS_ORDER, "schrijf|schrijf_me|ontwerp|teken|schilder|verf|kook|bouw|maak_me|creëer|vertaal|"
                  "bereken|zoek|zoek_me|vind|boek|reserveer|bestel|koop|organiseer|stuur|repareer|"
                  "poets|maai|huur|verkoop|verzin|installeer|knip|controleer"},
    {WORDS_WISH, "ik_wil|ik_wou|ik_zou_graag|wij_willen een|graag_een|dat_je|liever_een|hebben"},
    {WORDS_ORDER_END,
     "yaz|yazın|yazar_mısın|çiz|çizer_misin|boya|pişir|kur|yap|yapın|yapar_mısın|oluştur|hazırla|"
     "tasarla|çevir|özetle|hesapla|bul|bulun|"
     "bulur_musun|ara|araştır|ayırt|rezerve_et|sipariş_et|ısmarla|satın_al|planla|düzenle|"
     "karşılaştır|yazdır|gönder|tamir_et|"
     "onar|temizle|yıka|sula|sat|öner|icat_et|dik|kontrol_et|inşa_et|pişirir_misin"},
    {WORDS_ORDER,
     "帮我|幫我|给我|給我|替我|请|麻烦你|去? "
     "写|寫|画|畫|做|造|建|翻译|翻譯|算|查|找|搜|搜索|订|訂|买|買|安排|打印|发|修|刷|洗|设计|設計|"
     "计算|整理|列|推荐|推薦|编|种|粉刷|油漆|预订|生成|准备 "
     "一|个|张|份|首|篇|些|点|家|段|封|条|只|台|把|这|那|出|下|好|找|点儿|本|幅|套|附近|关于|最近"},
    {WORDS_ORDER, "帮我|幫我|替我|帮忙 "
                  "写|寫|画|畫|做|造|建|翻译|翻譯|算|查|找|搜|订|訂|买|買|安排|打印|发|修|刷|洗|"
                  "设计|計算|计算|整理|列|推荐|推薦|预订|预约|生成|准备"},
    {WORDS_ORDER, "写|寫|画|畫|翻译|翻譯|粉刷|油漆|设计|搜索|查一下|找一下|预订|把"},
    {WORDS_ORDER_END, "作って|作ってください|作って下さい|書いて|書いてください|描いて|塗って|"
                      "焼いて|建てて|翻訳して|訳して|要約して|計算して|探して|探してください|"
                      "調べて|調べてください|検索して|予約して|予約してください|注文して|買って|"
                      "計画して|比較して|印刷して|送って|送ってください|電話して|直して|修理して|"
                      "掃除して|洗って|植えて|考えて|作成して|作成してください|設計して|見つけて|"
                      "おすすめして|用意して"},
    {WORDS_ORDER_END,
     "써줘|써_줘|써주세요|써_주세요|적어줘|그려줘|그려_줘|그려주세요|칠해줘|칠해_줘|구워줘|지어줘|"
     "지어_줘|만들어줘|만들어_줘|만들어주세요|만들어_주세요|"
     "번역해줘|번역해_줘|번역해주세요|요약해줘|계산해줘|계산해_줘|찾아줘|찾아_줘|찾아주세요|찾아_"
     "주세요|찾아봐|찾아봐줘|검색해줘|검색해_줘|알아봐줘|알아봐_줘|예약해줘|예약해_줘|"
     "예약해주세요|주문해줘|주문해_줘|사줘|사_줘|계획해줘|비교해줘|인쇄해줘|보내줘|보내_줘|"
     "전화해줘|고쳐줘|고쳐_줘|청소해줘|씻어줘|심어줘|추천해줘|추천해_줘|추천해주세요|"
     "준비해줘|설치해줘|작성해줘|작성해_줘|작성해주세요|디자인해줘|정리해줘"},
    {WORDS_ORDER, "اكتب|اكتب_لي|اكتبي|ارسم|ارسم_لي|ادهن|اطبخ|اخبز|ابن|ابني|اصنع|اصنع_لي|اعمل|اعمل_"
                  "لي|أنشئ|انشئ|صمم|صمم_لي|ترجم|ترجم_لي|لخص|احسب|ابحث|ابحث_لي|دور|"
                  "دور_لي|جد|جد_لي|احجز|احجز_لي|اطلب|اشتر|اشتري|خطط|نظم|قارن|اطبع|أرسل|ارسل|ابعث|"
                  "اتصل|أصلح|صلح|نظف|اغسل|اسق|بع|جهز|حضر|ازرع"},
    {WORDS_WISH, "أريد|اريد|عايز|بدي|أبغى قائمة|جدول|منك|أن_تكتب|أن_تعمل|لوحة"},
    {WORDS_ORDER_END, "लिखो|लिखें|लिखिए|लिख_दो|बनाओ|बनाएं|बनाइए|बना_दो|खींचो|रंगो|रंग_दो|पकाओ|अनुवाद_करो|"
                      "अनुवाद_कर_दो|सारांश_दो|हिसाब_लगाओ|खोजो|खोज_दो|ढूंढो|"
                      "ढूँढो|ढूंढ_दो|ढूँढ_दो|ढूंढिए|बुक_करो|बुक_कर_दो|मंगाओ|मँगाओ|खरीदो|योजना_बनाओ|तुलना_करो|"
                      "भेजो|भेज_दो|फोन_करो|ठीक_करो|ठीक_कर_दो|साफ_करो|धो_दो|"
                      "likho|likh_do|banao|bana_do|pakao|anuvad_karo|translate_karo|khojo|dhundo|"
                      "dhoondo|dhundh_do|dhoondh_do|book_karo|book_kar_do|mangao|"
                      "kharido|bhejo|bhej_do|phone_karo|theek_karo|theek_kar_do|saaf_karo|search_"
                      "karo|calculate_karo|paint_karo"},
    {WORDS_ORDER,
     "skriv|rita|måla|baka|bygg|skapa|designa|översätt|sammanfatta|räkna|beräkna|sök|hitta|leta|"
     "googla|boka|reservera|beställ|köp|planera|organisera|skriv_ut|skicka|reparera|städa|tvätta|"
     "klipp|vattna|hyr|sälj|rekommendera|förbered|hitta_på|installera|plantera|kolla|ordna|fixa"},
    {WORDS_WISH, "jag_vill|jag_skulle_vilja|vi_vill ha|ha_en|ha_ett|att_du"},
    {WORDS_ORDER,
     "viết|viết_cho|soạn|vẽ|sơn|nướng|nấu|xây|làm_cho|làm_giúp|tạo|thiết_kế|dịch|tóm_tắt|tính|tìm|"
     "tìm_cho|tìm_giúp|tra|tra_cứu|đặt|mua|lên_kế_hoạch|so_sánh|in|gửi|gọi|"
     "sửa|dọn|rửa|tưới|thuê|bán|giới_thiệu|gợi_ý|chuẩn_bị|nghĩ_ra|cài_đặt|trồng|lập "
     "cho|giúp|một|bài|hộ|danh_sách|thư|cái|vé|nhà|hàng_rào|lại|ra|xem"},
    {WORDS_WISH, "tôi_muốn|mình_muốn|em_muốn một|có_một|bạn"},
    {WORDS_ORDER,
     "tulis|tuliskan|tulisin|buat|buatkan|buatin|bikin|bikinin|gambar|gambarkan|panggang|masak|"
     "bangun|rancang|desain|terjemahkan|terjemahin|ringkas|rangkum|hitung|cari|cariin|carikan|"
     "temukan|pesan|pesankan|pesenin|beli|belikan|beliin|rencanakan|cetak|kirim|kirimkan|kirimin|"
     "telepon|perbaiki|benerin|bersihkan|cuci|siram|sewa|jual|rekomendasikan|siapkan|tanam|susun"},
    {WORDS_WISH, "saya_mau|aku_mau|saya_ingin|aku_ingin|aku_pengen sebuah|dibuatkan|kamu|daftar"},
    {WORDS_ORDER,
     "mach|mache|mal|male|back|plan|buch|druck|bau|kauf|ruf|lade|fass|schlag "
     "mir|uns|eine|einen|ein|die|den|das_tor|das_haus|alle|ihm|ihr|meine|meinen|unsere|mal"},
    {WORDS_ORDER, "haz|hacé|resume|cuenta me|un|una|unos|unas|el|la|los|las|mi"},
    {WORDS_ORDER, "fais|faites|résume|compte|imagine moi|nous|un|une|des|le|la|les|mon|ma"},
    {WORDS_ORDER, "faz|faça|resume|conta|liga me|um|uma|uns|umas|o|a|os|as|meu|minha|para"},
    {WORDS_ORDER, "fai|fa'|fate|conta mi|un|una|uno|dei|delle|il|la|lo|le|i"},
    {WORDS_ORDER, "maak|bak|reken|bel|tel|plan|print|was een|de|het|mij|me|ons|mijn|onze|uit"},
    {WORDS_ORDER, "gör|laga|lista|ring en|ett|mig|oss|den|min|mina|alla|upp"},
    {WORDS_ORDER,
     "сделай|сделайте|зроби|зробіть "
     "мне|мені|нам|список|прайс|сайт|таблицу|таблицю|плакат|открытку|новый|новую|новий|нову"},
    {WORDS_ORDER,
     "zrób|zróbcie|udělej|udělejte "
     "mi|nam|nám|listę|seznam|stronę|tabelę|tabulku|plakat|plakát|nowy|nową|nový|novou"},

    /* ---- What was spoken of before ---- */
    {WORDS_SAME,
     "it|that|them|this|these|those|there|too|also|again|instead|both|its|same|as_well"},
    {WORDS_SAME, "es|das_auch|auch|damit|dafür|daran|dort|wieder|stattdessen|nochmal|ihn|dazu"},
    {WORDS_SAME, "eso|esto|ello|también|otra_vez|de_nuevo|ahí|allí|en_su_lugar"},
    {WORDS_SAME, "ça|cela|ceci|aussi|encore|là_dedans|à_la_place|y_compris"},
    {WORDS_SAME, "isso|isto|também|outra_vez|de_novo|ali|em_vez"},
    {WORDS_SAME, "anche|questo|di_nuovo|invece"},
    {WORDS_SAME, "его|её|ее|их|это|этот|эту|тоже|также|туда|там|снова|опять|вместо"},
    {WORDS_SAME, "його|її|їх|це|цей|цю|теж|також|там|знову|замість"},
    {WORDS_SAME, "też|także|tam|znowu|zamiast"},
    {WORDS_SAME, "také|taky|tam|znovu|místo"},
    {WORDS_SAME, "het_ook|dit|dat|ook|daar|weer|opnieuw|ermee|erbij"},
    {WORDS_SAME, "bunu|onu|bunları|onları|orada|tekrar|yine|yerine"},
    {WORDS_SAME, "它|这个|那个|这些|那些|也|再|还有|那里|代替"},
    {WORDS_SAME, "それ|これ|あれ|そこ|代わりに"},
    {WORDS_SAME, "그거|그것|이거|이것|그걸|이걸|저거|도|또|다시|대신"},
    {WORDS_SAME, "هذا|هذه|ذلك|تلك|أيضا|كمان|هناك|مرة_أخرى"},
    {WORDS_SAME, "इसे|उसे|इसको|उसको|यह|वह|भी|फिर|वहाँ|ise|use|isko|usko|bhi|phir|wahan"},
    {WORDS_SAME, "också|även|där|igen|istället"},
    {WORDS_SAME, "nó|cái_đó|cái_này|cũng|nữa"},
    {WORDS_SAME, "itu|ini|juga|lagi|di_situ|sebagai_gantinya"},

    /* "the" and "my" before anything would let in words of other languages: "the door". */
    {WORDS_LEAD,
     "the|my option|letter|number|choice|answer|key|button|one|variant|alternative|vote|pick "
     "is|=goes_to?"},
    {WORDS_CONTINUE_HERE,
     "the continue|continuing|resume|keep_going|go_on|carry_on one|option|thing?"},
    {WORDS_FRESH_HERE,
     "the? fresh|fresh_start|start_fresh|start_over|starting_over|save|saving one|option|thing"},

    /* ---- Greetings ---- */
    {WORDS_GREET, "hi|hello|hey|dear|yo|morning|good_morning|good_evening|good_afternoon|hallo|hoi|"
                  "servus|moin|guten_tag|guten_morgen|liebe|"
                  "lieber|hola|buenas|buenos_días|bonjour|salut|coucou|bonsoir|oi|olá|bom_dia|ciao|"
                  "salve|buongiorno|привет|здравствуйте|"
                  "привіт|вітаю|cześć|hej|dzień_dobry|ahoj|dobrý_den|merhaba|selam|xin_chào|chào|"
                  "halo|hai|नमस्ते|namaste|مرحبا|السلام_عليكم"},
    {WORDS_LEAD,
     "dear|yo|good_evening|good_afternoon|servus|liebe|lieber|salut|coucou|bonjour|bonsoir|oi|olá|"
     "bom_dia|ciao|=salve|"
     "buongiorno|привет|здравствуйте|привіт|вітаю|ahoj|dobrý_den|xin_chào|مرحبا|السلام_عليكم"},

    /* ---- Thanks, behind which somebody may be named ---- */
    {WORDS_THANKS, "thanks|thank_you|thx|ty|cheers|ta|please|pls|plz|danke|dankeschön|merci|"
                   "gracias|obrigado|obrigada|valeu|grazie|"
                   "спасибо|спс|пожалуйста|дякую|dzięki|dziękuję|dík|díky|děkuji|děkuju|bedankt|"
                   "dank_je|dankjewel|sağ_ol|sağol|teşekkürler|"
                   "谢谢|謝謝|ありがとう|고마워|고마워요|감사합니다|شكرا|مشكور|धन्यवाद|शुक्रिया|"
                   "shukriya|dhanyavad|tack|cảm_ơn|cám_ơn|"
                   "makasih|terima_kasih|mate|dear|bro"},
    {WORDS_TAIL, "valeu|спс|дякую|dzięki|dziękuję|dík|díky|děkuji|děkuju|sağ_ol|मदद_के_लिए|शुक्रिया|"
                 "고마워|고마워요|감사합니다|شكرا|"
                 "مشكور|cám_ơn|cảm_ơn|bro|будь_ласка|بليز"},

    /* ---- Signs ---- */
    {WORDS_NOT, "❌|👎|🚫|✖|✗|✘|🛑|⛔"},

    {WORDS_ONE, NUMBERED "one|eins|uno|un|une|один|一|壱|jeden|jedna|een|één|bir|один|واحد|एक|ek"},
    {WORDS_TWO, NUMBERED
     "two|zwei|dos|deux|dois|due|два|二|弐|dwa|dva|dvě|dvojka|twee|iki|два|اثنين|اثنان|اتنين|दो"},
    {WORDS_THREE, NUMBERED "three|drei|tres|trois|três|tre|три|三"},
    {WORDS_END, NULL}};
