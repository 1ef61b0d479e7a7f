/*
** choice.c - reading the answer to a choice: "b)", "the first one", "lass uns weitermachen".
**
** A message is cut into folded words: lower case, no accents, no punctuation, no emoji; a Chinese
*or
** Japanese character is a word of its own. Words that only wrap an answer ("option", "I'd like to",
** "please", "でお願いします") may be taken off at either end. What is left has to be an answer as a
** whole: an option's key, a position, an option's own text, or one of the phrases below. Two
*answers
** in a row are fine when they agree ("A) Continue that work", "the second, start fresh"); anything
** left over makes the message no answer at all.
**
** Everything is tried literally first. Only when nothing fits are small typos forgiven, and then an
** answer counts only if every reading of the message leads to the same way out.
**
** The vocabulary is written in a small pattern language:
**
**   word1 word2      one after the other
**   a|b|c            one of these
**   a|b?             one of these or nothing
**   left_off         the two words "left off" as one alternative
**   =latter          no typos: a neighbour of this word means something else
**
** Patterns are folded like messages, so they can be written with capitals, accents and apostrophes.
*/
#include "choice.h"

#include "text.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ---- The vocabulary -------------------------------------------------------------------------- */

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

enum { ANYTIME, AT_CHOICE };

typedef struct Phrase {
  ChoiceAnswer answer;
  int when; /* AT_CHOICE: means this only while a choice is open */
  const char *pattern;
} Phrase;

static const Phrase phrases[] = {
    /* English: go on */
    {ANSWER_CONTINUE, ANYTIME,
     "continue|continuing|resume|resuming working|doing? with|on|in? where_i_was?" EN_WORK},
    {ANSWER_CONTINUE, ANYTIME, "go|going|carry|carrying on working? with|on?" EN_WORK},
    {ANSWER_CONTINUE, ANYTIME, "goon|keepgoing"},
    {ANSWER_CONTINUE, ANYTIME, "keep|keep_on going|working|at|on with|on|at?" EN_WORK},
    {ANSWER_CONTINUE, ANYTIME, "pick up" EN_WORK "again?"},
    {ANSWER_CONTINUE, ANYTIME, "pick" EN_WORK "up|back_up again?"},
    {ANSWER_CONTINUE, ANYTIME,
     "continue|continuing|resume|resuming|pick_up|pick_it_up|pick_that_up|carry_on|keep_going|go_"
     "on "
     "again? from|at? where|there|here we|you|i|it? left|stopped|were|had_left|had_stopped|paused? "
     "off|of? last_time|yesterday|before?"},
    {ANSWER_CONTINUE, ANYTIME,
     "start again? from|at? where we|you|i|it left|stopped|were|paused off|of?"},
    {ANSWER_CONTINUE, AT_CHOICE, "from? where we|you|i left|stopped|were|paused off|of?"},
    {ANSWER_CONTINUE, ANYTIME,
     "continue|resume|finish|go_on_with|go_back_to what|whatever|the_thing we|you|i "
     "were|was|had|started|began "
     "doing|working_on|started|begun?"},
    {ANSWER_CONTINUE, AT_CHOICE, "finish|complete" EN_WORK "first|up?"},
    {ANSWER_CONTINUE, AT_CHOICE,
     "stick|stay|proceed|go|go_ahead|work with|to|on "
     "the|that|this|my|our|your "
     "old|previous|prior|last|current|existing|unfinished|earlier|same|"
     "original|saved work|task|one|job|thing|project|session|topic?"},
    {ANSWER_CONTINUE, AT_CHOICE, "stick|stay with|on it|that|this"},
    {ANSWER_CONTINUE, AT_CHOICE,
     "go_back|get_back|back|return to the|that|this|my|our? old|previous|prior|last|current|"
     "existing|unfinished|earlier|same|original|saved? work|task|one|job|it|that|this"},
    {ANSWER_CONTINUE, AT_CHOICE,
     "the|my|our? old|previous|current|existing|unfinished|earlier|same|saved "
     "work|task|one|job|thing|project|session|topic|stuff"},

    /* English: start fresh */
    {ANSWER_START_FRESH, ANYTIME, "start|begin|starting all? " EN_FRESH " again?"},
    {ANSWER_START_FRESH, ANYTIME, "startfresh|startover"},
    {ANSWER_START_FRESH, ANYTIME, "start|begin|make|have|do a fresh|new|clean start|beginning"},
    {ANSWER_START_FRESH, ANYTIME, "start|begin something new|fresh|else|different"},
    {ANSWER_START_FRESH, AT_CHOICE, "start|begin|open|create|do|work|move on|with|to?" EN_NEW},
    {ANSWER_START_FRESH, AT_CHOICE,
     "take|make|pick|use|continue|proceed|go_on|go|go_ahead|move_on "
     "with|to|on|for?" EN_NEW},
    {ANSWER_START_FRESH, AT_CHOICE,
     "save|save_away|store|keep|park it|that|this|everything|all|all_that? "
     "the|that|my|this|old|current? old|current|work|task|one? work|task|one? away? and|&|then? "
     "then? "
     "start|begin|switch|work|do|take on|with|to? all? " EN_FRESH
     "|something_new|the_new_one|the_new_task|the_new_request|my_new_request|your_new_request|"
     "my_new_task|the_request|a_new_task|a_new_one|the_new_thing"},
    {ANSWER_START_FRESH, AT_CHOICE, "save it|that|this|everything|the_work|that_work|the_old_one"},
    {ANSWER_START_FRESH, AT_CHOICE, "save and switch|start"},
    {ANSWER_START_FRESH, AT_CHOICE, "switch|switching over? to?" EN_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "switch|switching over? tasks|it?"},
    {ANSWER_START_FRESH, AT_CHOICE, "from scratch|zero"},
    {ANSWER_START_FRESH, AT_CHOICE, "clean slate|start"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "it's|its|it_is|that's|that_is|this_is? something new|else|different"},
    {ANSWER_START_FRESH, AT_CHOICE, "it's|it_is|that's|that_is|this_is?" EN_NEW},
    {ANSWER_START_FRESH, AT_CHOICE,
     "take|treat|handle it|that|this|my_message|your_message|the_message as something? a? "
     "new|something_new|separate|"
     "different task|request|topic|one|thing?"},
    {ANSWER_START_FRESH, AT_CHOICE, "restart"},

    /* German */
    {ANSWER_CONTINUE, ANYTIME,
     "weiter|weitermachen|weiterarbeiten|fortfahren|fortsetzen|weiterführen mit|an|bei?" DE_WORK},
    {ANSWER_CONTINUE, ANYTIME, "mit|an" DE_WORK "weiter|weitermachen|weiterarbeiten|fortfahren"},
    {ANSWER_CONTINUE, ANYTIME,
     "damit|daran|dort|da|so weiter|weitermachen|weiterarbeiten|fortfahren"},
    {ANSWER_CONTINUE, ANYTIME,
     "mach|mache|machen|arbeite|arbeiten|geh|geht|gehen|führ|führe "
     "wir|es|sie|das|die|diese? arbeit|aufgabe|sache? damit|daran|dort|da|so? "
     "weiter damit|daran|so?"},
    {ANSWER_CONTINUE, ANYTIME, "mach|mache|machen|arbeite|arbeiten wir? mit|an" DE_WORK "weiter"},
    {ANSWER_CONTINUE, ANYTIME,
     "setz|setze|setzen|fahr|fahre|fahren wir|sie?" DE_WORK "damit? fort"},
    {ANSWER_CONTINUE, ANYTIME,
     "weiter|weitermachen|mach_weiter|mache_weiter|machen_wir_weiter|da|dort weitermachen|weiter? "
     "da|dort? wo "
     "wir|ich|du aufgehört|stehengeblieben|stehen_geblieben|waren haben|sind|habe|hast|bin|bist?"},
    {ANSWER_CONTINUE, AT_CHOICE,
     "die|das|bei der|dem? alte|alten|vorige|vorigen|bisherige|bisherigen|"
     "aktuelle|aktuellen|angefangene aufgabe|arbeit|sache|task|thema?"},
    {ANSWER_CONTINUE, ANYTIME, "weiter geht's|so"},
    {ANSWER_START_FRESH, ANYTIME, DE_FRESH " anfangen|starten|beginnen|loslegen"},
    {ANSWER_START_FRESH, ANYTIME, "fang|fange|fangen|starte|beginne|beginn wir? " DE_FRESH " an?"},
    {ANSWER_START_FRESH, ANYTIME, "etwas|was neues anfangen|starten|beginnen"},
    {ANSWER_START_FRESH, AT_CHOICE, "von vorn|vorne|null"},
    {ANSWER_START_FRESH, AT_CHOICE, "neuanfang|neustart|neubeginn|wechseln|umsteigen"},
    {ANSWER_START_FRESH, AT_CHOICE, "es_ist|das_ist? etwas|was neues|anderes"},
    {ANSWER_START_FRESH, AT_CHOICE, "es_ist|das_ist?" DE_NEW "anfangen|starten|beginnen?"},
    {ANSWER_START_FRESH, AT_CHOICE, "wechsel|wechsle|wechseln zu|zur|zum" DE_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "zu|zur|zum" DE_NEW "wechseln"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "speicher|speichere|speichern|sicher|sichern es|das|dies|alles?"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "es|das|dies|alles speichern|sichern und|dann? dann? " DE_FRESH
     "? anfangen|starten|beginnen?"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "speicher|speichere|speichern|sicher|sichern es|das|dies|alles? und|dann? dann? "
     "fang|fange|starte|beginne? " DE_FRESH " an|anfangen|starten|beginnen?"},

    /* Spanish */
    {ANSWER_CONTINUE, ANYTIME,
     "continuar|continúa|continúe|continuemos|continuamos|sigue|siga|sigamos|seguir|seguimos|seguí|"
     "prosigue|prosigamos|proseguir|reanudar|reanuda|reanudemos|retomar|retoma|retomemos "
     "trabajando|adelante? con|en?" ES_WORK},
    {ANSWER_CONTINUE, ANYTIME,
     "continuar|continúa|continuemos|sigue|sigamos|seguir|retomar|retoma? desde|por|en? donde "
     "lo_dejamos|lo_dejaste|lo_dejé|nos_quedamos|quedamos|estábamos|íbamos"},
    {ANSWER_START_FRESH, ANYTIME,
     "empezar|empieza|empiece|empecemos|empezamos|comenzar|comienza|comencemos|iniciar|inicia|"
     "arrancar|volver_a_empezar todo? " ES_FRESH
     "|algo_nuevo|con_algo_nuevo|con_lo_nuevo|lo_nuevo"},
    {ANSWER_START_FRESH, ANYTIME, "volver a empezar|comenzar"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "empezar|empieza|comenzar|comienza|iniciar|inicia|haz|hacer con?" ES_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "de|desde cero"},
    {ANSWER_START_FRESH, AT_CHOICE, "es? algo|lo =nuevo"},
    {ANSWER_START_FRESH, AT_CHOICE, "es?" ES_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "cambiar|cambia|cambiemos|pasar|pasa a|de?" ES_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "guardar|guarda|guárdalo|guardarlo eso|esto|todo|el_trabajo?"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "guardar|guarda|guárdalo|guardarlo eso|esto|todo|el_trabajo? y "
     "empezar|empieza|empecemos|comenzar|comienza|comencemos|iniciar " ES_FRESH
     "|algo_nuevo|con_lo_nuevo|lo_nuevo|la_nueva|con_la_nueva tarea|solicitud?"},

    /* French */
    {ANSWER_CONTINUE, ANYTIME,
     "continuer|continue|continuez|continuons|reprendre|reprends|reprenez|reprenons|poursuivre|"
     "poursuis|poursuivez|poursuivons avec|sur|dans?" FR_WORK},
    {ANSWER_CONTINUE, ANYTIME,
     "continuer|continue|continuez|continuons|reprendre|reprends|reprenons|poursuivre? là? où "
     "on_en_était|nous_en_étions|on_s'est_arrêté|on_s'est_arrêtés|on_s'était_arrêté|"
     "nous_nous_sommes_arrêtés|nous_étions"},
    {ANSWER_START_FRESH, ANYTIME,
     "recommencer|recommence|recommencez|recommençons tout? " FR_FRESH "?"},
    {ANSWER_START_FRESH, ANYTIME,
     "commencer|commence|commençons|démarrer|repartir|repars|repartez|repartons|partir "
     "tout? " FR_FRESH "|sur_de_nouvelles_bases|quelque_chose_de_nouveau|autre_chose"},
    {ANSWER_START_FRESH, AT_CHOICE, "nouveau départ"},
    {ANSWER_START_FRESH, AT_CHOICE, "c'est? quelque_chose_de_nouveau|du_nouveau|autre_chose"},
    {ANSWER_START_FRESH, AT_CHOICE, "c'est|commencer|commence|démarrer|faire?" FR_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "changer|passer|passe|passons à|de?" FR_NEW},
    {ANSWER_START_FRESH, AT_CHOICE,
     "sauvegarder|sauvegarde|enregistrer|enregistre le|ça|cela|tout|ce_travail|le_travail?"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "sauvegarder|sauvegarde|enregistrer|enregistre|l'enregistrer le|ça|cela|tout|ce_travail|"
     "le_travail? et puis? recommencer|recommence|repartir|repars|commencer|commence " FR_FRESH
     "|la_nouvelle? demande|tâche?"},

    /* Portuguese */
    {ANSWER_CONTINUE, ANYTIME,
     "continuar|continua|continue|continuemos|continuamos|seguir|segue|siga|sigamos|prosseguir|"
     "prossiga|prossegue|retomar|retome|retoma em_frente? trabalhando? com|em?" PT_WORK},
    {ANSWER_CONTINUE, ANYTIME,
     "continuar|continua|continue|seguir|retomar|retome? de|a_partir_de? onde "
     "paramos|parámos|parei|estávamos|ficamos|ficámos"},
    {ANSWER_START_FRESH, ANYTIME,
     "começar|comece|começa|comecemos|iniciar|inicie|partir tudo? " PT_FRESH "|algo_novo"},
    {ANSWER_START_FRESH, ANYTIME, "recomeçar|recomece|recomeça|recomecemos tudo? " PT_FRESH "?"},
    {ANSWER_START_FRESH, AT_CHOICE, "do zero"},
    {ANSWER_START_FRESH, AT_CHOICE, "é? algo novo"},
    {ANSWER_START_FRESH, AT_CHOICE, "é|começar|comece|iniciar|fazer?" PT_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "mudar|muda|mude|trocar|troque|passar para|de?" PT_NEW},
    {ANSWER_START_FRESH, AT_CHOICE,
     "salvar|salve|salva|guardar|guarde|guarda isso|isto|tudo|o_trabalho?"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "salvar|salve|salva|guardar|guarde|guarda isso|isto|tudo|o_trabalho? e "
     "começar|comece|começa|recomeçar|recomece|iniciar " PT_FRESH "|algo_novo|o_novo|a_nova? "
     "tarefa|pedido?"},

    /* Italian */
    {ANSWER_CONTINUE, ANYTIME,
     "continuare|continua|continuiamo|prosegui|proseguire|proseguiamo|riprendi|riprendere|"
     "riprendiamo con|a?" IT_WORK},
    {ANSWER_CONTINUE, ANYTIME, "vai|andiamo|andare|va avanti con?" IT_WORK},
    {ANSWER_CONTINUE, ANYTIME,
     "continuare|continua|continuiamo|riprendi|riprendere|riprendiamo? da? dove|dov'eravamo "
     "eravamo|ci_eravamo|siamo|ci_siamo|abbiamo? rimasti|fermati|interrotto|lasciato?"},
    {ANSWER_START_FRESH, ANYTIME, "ricominciare|ricomincia|ricominciamo tutto? " IT_FRESH "?"},
    {ANSWER_START_FRESH, ANYTIME,
     "iniziare|inizia|iniziamo|cominciare|comincia|cominciamo|partire|"
     "ripartire tutto? " IT_FRESH "|qualcosa_di_nuovo|daccapo"},
    {ANSWER_START_FRESH, AT_CHOICE, "da_capo|da_zero|daccapo"},
    {ANSWER_START_FRESH, AT_CHOICE, "è? qualcosa di nuovo"},
    {ANSWER_START_FRESH, AT_CHOICE, "è|inizia|iniziare|comincia|fai?" IT_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "passa|passare|passiamo|cambia|cambiare a|al|alla?" IT_NEW},
    {ANSWER_START_FRESH, AT_CHOICE,
     "salva|salvare|salvalo|salvarlo tutto|questo|quello|il_lavoro?"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "salva|salvare|salvalo|salvarlo tutto|questo|quello|il_lavoro? e "
     "inizia|iniziare|comincia|cominciare|ricomincia|ricominciare|riparti|ripartire " IT_FRESH
     "|la_nuova_richiesta|qualcosa_di_nuovo"},

    /* Russian */
    {ANSWER_CONTINUE, ANYTIME,
     "продолжай|продолжайте|продолжать|продолжи|продолжим|продолжаем|продолжить|продолжаю|"
     "возобнови|возобновить работать|делать?" RU_WORK},
    {ANSWER_CONTINUE, ANYTIME, "дальше"},
    {ANSWER_CONTINUE, ANYTIME,
     "продолжай|продолжать|продолжи|продолжим|продолжить с|от? того? места|там? где|на_чем? "
     "мы? остановились|закончили|прервались"},
    {ANSWER_CONTINUE, AT_CHOICE,
     "старая|старую|старое|прежняя|прежнюю|текущая|текущую задача|"
     "задачу|работа|работу|дело?"},
    {ANSWER_START_FRESH, ANYTIME,
     "начать|начни|начнем|начинай|начинаем|начинать все? " RU_FRESH "|новое|что_то_новое"},
    {ANSWER_START_FRESH, ANYTIME, "все? " RU_FRESH " начать|начни|начнем?"},
    {ANSWER_START_FRESH, AT_CHOICE, "начать|начни|начнем|взять|возьми|делай|это?" RU_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "это? что|нечто то? новое"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "переключись|переключиться|переключайся|переключаемся|перейти|"
     "перейди|перейдем" RU_NEW},
    {ANSWER_START_FRESH, AT_CHOICE, "сохрани|сохранить|сохраняй это|все|работу?"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "сохрани|сохранить|сохраняй это|все|работу? и|потом? "
     "начни|начать|начинай|начнем " RU_FRESH "|новое|новую? задачу?"},

    /* Chinese, both scripts */
    {ANSWER_CONTINUE, ANYTIME, "继续|繼續|接着|接著|恢复|恢復 做|干|往下做?" ZH_WORK},
    {ANSWER_CONTINUE, ANYTIME,
     "从|從|在? 上次|之前|我们|刚才? 中断|停下|停止|离开|停 的? 地方|位置 "
     "继续|繼續|接着 做|开始?"},
    {ANSWER_CONTINUE, AT_CHOICE, "原来|原來|之前|旧|舊 的 工作|任务|任務|那个?"},
    {ANSWER_START_FRESH, ANYTIME,
     "保存|存|先保存? 它|这个|那个|工作|好? 并|后|然后|再|并且|並? 重新|从头|從頭|从零 "
     "开始|開始|来|做|再来|再來"},
    {ANSWER_START_FRESH, ANYTIME, "重来|重來|重头开始|重新来过"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "保存|存|先保存? 它|这个|那个|工作|好? 并|后|然后|再? 开始|開始|做|换|換|切换到|处理|是|开? "
     "一个|一個|个? 新 的? 任务|任務|工作|请求|請求|话题|需求|事情|开始?"},
    {ANSWER_START_FRESH, AT_CHOICE, "切换|切換|保存|保存它|先保存"},

    /* Japanese */
    {ANSWER_CONTINUE, ANYTIME,
     "その|この|前の|今の|元の|以前の|さっきの? 作業|仕事|タスク|話|まま? を|の|で? 続き|つづき? "
     "を|から|の|で? 続け|続けて|続ける|続けよう|つづけて|続行|継続|再開 して|する|しよう|します?"},
    {ANSWER_CONTINUE, ANYTIME,
     "その|この|前の|今の|元の|以前の|さっきの? 作業|仕事|タスク|話? を|の|で? 続き|つづき "
     "から|を|で?"},
    {ANSWER_CONTINUE, ANYTIME,
     "中断した|止まった|止めた|前回の ところ|所|続き から "
     "続け|続けて|続ける|再開 して|する?"},
    {ANSWER_CONTINUE, AT_CHOICE, "前の|元の|今の 作業|仕事|タスク|方|ほう|もの"},
    {ANSWER_START_FRESH, ANYTIME,
     "保存して|保存し? 最初から|始めから|初めから|はじめから|一から|ゼロから|新しく|新たに|新規に "
     "始めて|始める|始めよう|はじめる|はじめて|やり直して|やり直す|開始 して|する?"},
    {ANSWER_START_FRESH, ANYTIME, "やり直し|やりなおし|やり直して|やり直す"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "最初から|始めから|初めから|はじめから|一から|ゼロから|新しく|新規"},
    {ANSWER_START_FRESH, AT_CHOICE,
     "保存して? 新しい|新規|新規の 作業|仕事|タスク|依頼|話|こと|もの|方|ほう|の "
     "を? 始めて|始め|始める|開始|する?"},
    {ANSWER_START_FRESH, AT_CHOICE, "切り替え|切り替えて|切り替える|保存|保存して"},

    /* A single "new" in any of them. */
    {ANSWER_START_FRESH, AT_CHOICE,
     "new|fresh|neu|=nuevo|=nueva|nouveau|nouvelle|novo|nova|nuovo|nuova|новое|новый|новая|новую"},
};

/* Positions. Bare digits are read without a table. */
enum { LAST = -1, FORMER = -2, LATTER = -3 };

#define EN_NOUN " one|option|choice|answer|thing|task|way? "
#define DE_NOUN " option|möglichkeit|variante|antwort|vorschlag|auswahl? "
#define ES_NOUN " opción|alternativa|respuesta? "
#define FR_NOUN " option|choix|possibilité|réponse? "
#define PT_NOUN " opção|alternativa|resposta? "
#define IT_NOUN " opzione|scelta|risposta? "
#define RU_NOUN " вариант|варианта|пункт|ответ? "

static const struct {
  int position;
  const char *pattern;
} positions[] = {
    {1, "one|eins|uno|un|une|один|一|壱"},
    {2, "two|zwei|dos|deux|dois|due|два|二|弐"},
    {3, "three|drei|tres|trois|três|tre|три|三"},
    {1, "the? first|1st" EN_NOUN},
    {2, "the? second|2nd" EN_NOUN},
    {3, "the? third|3rd" EN_NOUN},
    {LAST, "the? last" EN_NOUN},
    {FORMER, "the? =former" EN_NOUN},
    {LATTER, "the? =latter" EN_NOUN},
    {1, "der|die|das|den? erste|ersten|erstes|erster|erstere|ersteres" DE_NOUN},
    {2, "der|die|das|den? zweite|zweiten|zweites|zweiter" DE_NOUN},
    {3, "der|die|das|den? dritte|dritten|drittes|dritter" DE_NOUN},
    {LAST, "der|die|das|den? letzte|letzten|letztes|=letzter" DE_NOUN},
    {LATTER, "der|die|das|den? letztere|letzteren|letzteres|letzterer" DE_NOUN},
    {1, "la|el|lo? primera|primero|primer" ES_NOUN},
    {2, "la|el|lo? segunda|segundo" ES_NOUN},
    {3, "la|el|lo? tercera|tercero|tercer" ES_NOUN},
    {LAST, "la|el|lo? última|último" ES_NOUN},
    {1, "le|la? premier|première|1er|1ère" FR_NOUN},
    {2, "le|la? deuxième|seconde|2e|2ème" FR_NOUN},
    {3, "le|la? troisième|3e|3ème" FR_NOUN},
    {LAST, "le|la? dernier|dernière" FR_NOUN},
    {1, "a|o? primeira|primeiro" PT_NOUN},
    {2, "a|o? segunda|segundo" PT_NOUN},
    {3, "a|o? terceira|terceiro" PT_NOUN},
    {LAST, "a|o? última|último" PT_NOUN},
    /* "prima" and "primo" alone would be German for "great" and Spanish for "cousin". */
    {1, "la prima" IT_NOUN},
    {1, "prima opzione|scelta|risposta"},
    {1, "il primo"},
    {2, "la|il? seconda|secondo" IT_NOUN},
    {3, "la|il? terza|terzo" IT_NOUN},
    {LAST, "l'ultima|l'ultimo|ultima|ultimo" IT_NOUN},
    {1, "первый|первая|первое|первую|первого" RU_NOUN},
    {2, "второй|вторая|второе|вторую|второго" RU_NOUN},
    {3, "третий|третья|третье|третью" RU_NOUN},
    {LAST, "последний|последняя|последнее|последнюю" RU_NOUN},
    {1, "第 1|一 个|個|项|項|种|種|条|選択肢|の|の方?"},
    {2, "第 2|二 个|個|项|項|种|種|条|選択肢|の|の方?"},
    {3, "第 3|三 个|個|项|項|种|種|条|選択肢|の|の方?"},
    {1, "1|一 番|番目|つ目|つめ の|の方|のほう|の選択肢?"},
    {2, "2|二 番|番目|つ目|つめ の|の方|のほう|の選択肢?"},
    {3, "3|三 番|番目|つ目|つめ の|の方|のほう|の選択肢?"},
    {1, "最初 の|の方|のほう|の選択肢?"},
    {LAST, "最后|最後 一|の? 个|個|项|項|方|ほう|選択肢?"},
    {FORMER, "前者"},
    {LATTER, "后者|後者"},
};

/* Words that may stand around an answer; each alternative is taken off as a whole. */
static const char *const leadWords[] = {
    "option|options|opt|choice|number|nr|num|nummer|answer|letter|variant|alternative|point|the|i|"
    "i'd|i'll|i'm|let's|let_us|let_me|we|we'll|we'd|we_should|you|you_can|you_could|you_may|"
    "can_you|could_you|can_we|could_we|would|will|choose|choosing|pick|picking|go_with|going_with|"
    "go_for|going_for|going_to|gonna|take|taking|select|selecting|say|prefer|rather|want|want_you|"
    "like|like_you|vote_for|choice_is|answer_is|my_choice_is|my_answer_is|my_pick_is|it's|to|do|"
    "just|please|kindly|ok|"
    "okay|k|yes|yeah|yep|yup|yea|ya|sure|alright|all_right|right|well|fine|good|great|cool|perfect|"
    "hmm|hm|um|uh|oh|ah|hi|hey|hello|then|so|maybe|i_think|i_guess|go_ahead_and|for_now|thanks|"
    "thank_you",
    "antwort|variante|auswahl|möglichkeit|ich|wir|lass_uns|lasst_uns|lass|nimm|nehme|nehmen|wähle|"
    "wähl|wählen|will|wollen|möchte|möchten|würde|würde_gern|gern|gerne|lieber|bitte|ja|jo|jep|"
    "klar|"
    "gut|na_gut|also|dann|doch|einfach|die|der|das|den|für|ich_bin_für",
    "opción|la_opción|el|la|lo|respuesta|elijo|escojo|prefiero|quiero|quisiera|me_gustaría|vamos_a|"
    "vamos_con|por_favor|sí|si|vale|bueno|bien|claro|de_acuerdo|entonces|mejor|yo|número|puedes|"
    "quiero_que",
    "l'option|le|choix|réponse|je|choisis|prends|préfère|veux|je_voudrais|j'aimerais|voudrais|"
    "on_va|allons|s'il_te_plaît|s'il_vous_plaît|oui|ouais|d'accord|bon|bien|alors|plutôt|numéro|tu_"
    "peux|vous_pouvez|on|peut|vas_y|peux_tu|de",
    "opção|a_opção|o|resposta|escolho|prefiro|quero|gostaria_de|queria|vamos|pode|podes|por_favor|"
    "sim|tá|tá_bom|certo|claro|então|melhor|eu|vou_de|fico_com|que",
    "opzione|l'opzione|il|risposta|scelgo|preferisco|voglio|vorrei|per_favore|sì|va_bene|certo|"
    "allora|meglio|io|puoi|direi|numero|facciamo",
    "вариант|ответ|пункт|номер|опция|давай|давайте|пусть|я|мы|хочу|хотим|хотел_бы|хотела_бы|"
    "выбираю|выберу|выбери|предпочитаю|лучше|да|ага|ок|окей|хорошо|ладно|ну|тогда|пожалуйста|"
    "можешь|можно|просто|под",
    "请|請|我|我们|我們|咱们|想|要|想要|选|選|选择|選擇|选项|選項|就|那|那就|还是|好|好的|是的|是|"
    "对|"
    "嗯|行|可以|答案|方案|用|让我们|讓我們|麻烦|麻煩|你|帮我|給我|给我|先",
    "はい|ええ|うん|では|じゃあ|じゃ|それでは|選択肢|オプション|答えは|私は|やっぱり|やはり|番号",
};

/* A "no" belongs to an answer only when it is set off from it: "no, start fresh". */
static const char *const leadNo =
    "no|nope|nah|nee|nein|non|não|nao|нет|不|不是|不用|いいえ|いや|no_thanks|no_thank_you";

static const char *const tailWords[] = {
    "please|pls|plz|thanks|thank_you|thx|ty|cheers|option|choice|then|now|for_now|for_me|it_is|"
    "instead|is_fine|is_good|is_better|is_best|is_great|works|works_for_me|sounds_good|sounds_"
    "better|"
    "looks_good|would_be_good|would_be_great|would_be_best|would_be_better|i_think|i_guess|i_say|"
    "ok|okay|yes|right|sure|first",
    "bitte|danke|gerne|gern|dann|jetzt|einfach|lieber|ja|passt|ist_gut|ist_besser|wäre_gut|nehmen|"
    "wählen|mal",
    "por_favor|porfa|gracias|entonces|ahora|mejor|sí|está_bien|está_bem",
    "s'il_te_plaît|s'il_vous_plaît|svp|stp|merci|alors|maintenant|plutôt|oui|ça_ira",
    "obrigado|obrigada|então|agora|sim|pfv",
    "per_favore|grazie|allora|adesso|ora|sì|va_bene",
    "пожалуйста|спасибо|тогда|сейчас|лучше|да|давай|плиз",
    "吧|了|啊|哦|呀|呢|嘛|谢谢|謝謝|就好|就行|即可|好了|方案|选项|可以|的|好|为|这个|那个",
    "で|でお願いします|でお願い|お願いします|お願い|おねがいします|おねがい|ください|下さい|"
    "にします|"
    "にする|にして|を選びます|を選ぶ|をお願いします|がいい|がいいです|です|で頼む|頼む|します|する|"
    "して|"
    "しましょう|しよう|ね|よ|よろしく|ましょう|ます|たい|たいです",
};

/* Politeness that people put anywhere, also between verb and particle ("mach bitte weiter"). */
static const char *const politeWords = "please|pls|plz|just|simply|bitte|einfach|mal|doch|"
                                       "пожалуйста|просто";

/* What takes none of the ways, per unit; a message of such units alone is undecided. */
static const char *const undecidedUnits[] = {
    "no|nope|nah|nay|neither|none|nothing|both|either|any|all|whichever|whatever|wait|later|unsure|"
    "undecided|huh|pardon|neither_one|none_of|both_of|either_of|any_of|all_of|not_sure|not_yet|"
    "not_now|no_idea|hold_on|hang_on|one_moment|one_sec|one_second|a_moment|a_sec|a_second|a_"
    "minute|"
    "let_me_think|let_me_see|give_me|gimme|i_don't_know|don't_know|dunno|idk|i_don't_care|"
    "don't_care|i_don't_mind|you_choose|you_decide|your_choice|up_to_you|doesn't_matter|"
    "it_depends|depends|not_that|not_this|not_these|not_those|not_either|neither_of|cancel_that",
    "of_them|of_those|of_these|of_the_above|of_the_two|the_above|them|those|these|one_of_them|"
    "for_me|yet|two|really|at_all|thing|options|the_options|moment|sec|second|minute|a_bit|"
    "a_little|about_it",
    "nein|nö|nee|nicht|keins|keines|keine|keinen|keiner|weder_noch|beides|beide|egal|warte|wart|"
    "warten|moment|moment_mal|augenblick|sekunde|später|noch_nicht|weiß_nicht|weiß_ich_nicht|"
    "ich_weiß_nicht|ich_weiß_es_nicht|keine_ahnung|nichts|nichts_davon|alles|von_beiden|davon|"
    "der_beiden|von_den_beiden|such_dir_was_aus|entscheide_du|du_entscheidest",
    "no_sé|no_lo_sé|ni_idea|ninguna|ninguno|ninguna_de|ninguno_de|ambas|ambos|las_dos|los_dos|"
    "cualquiera|da_igual|me_da_igual|espera|espere|un_momento|un_segundo|luego|después|más_tarde|"
    "todavía_no|aún_no|nada|todo|tú_decides|ni_una_ni_otra|de_las_dos|de_los_dos|de_ellas|de_ellos",
    "non|aucun|aucune|aucun_des_deux|aucune_des_deux|ni_l'un_ni_l'autre|ni_l'une_ni_l'autre|les_"
    "deux|"
    "peu_importe|n'importe|n'importe_lequel|attends|attendez|attend|un_instant|une_seconde|une_"
    "minute|"
    "plus_tard|pas_encore|pas_maintenant|je_ne_sais_pas|je_sais_pas|j'sais_pas|aucune_idée|bof|"
    "rien|"
    "tout|à_toi_de_choisir|comme_tu_veux",
    "não|nao|nenhum|nenhuma|nenhum_dos_dois|nenhuma_das_duas|ambos|os_dois|as_duas|tanto_faz|"
    "qualquer|qualquer_um|espera|espere|um_momento|um_segundo|mais_tarde|depois|ainda_não|não_sei|"
    "sei_lá|nada|tudo|você_decide",
    "nessuno|nessuna|nessuno_dei_due|nessuna_delle_due|né_l'uno_né_l'altro|entrambi|entrambe|tutti_"
    "e_"
    "due|tutte_e_due|è_uguale|fa_lo_stesso|aspetta|un_attimo|un_momento|più_tardi|dopo|non_ancora|"
    "non_so|non_lo_so|boh|niente|decidi_tu",
    "нет|не|ни_то_ни_другое|ни_то_ни_то|ни_один|ни_одна|ни_одно|ни_одного|никакой|никакое|оба|обе|"
    "обоих|и_то_и_другое|все_равно|без_разницы|любой|любое|подожди|подождите|погоди|погодите|стой|"
    "постой|минуту|минутку|секунду|потом|позже|пока_нет|еще_нет|не_знаю|хз|ничего|решай_сам|из_них",
    "❌|👎|🚫|✖|✗|✘|🛑|⛔",
    "不|不要|都不|都不是|都不要|两个都不|都不行|两个都|兩個都|都要|都|都行|都可以|随便|隨便|等等|"
    "等一下|"
    "等下|等一等|稍等|待会|一会儿|不知道|不确定|再说|你决定|没想好|还没想好",
    "いいえ|いや|どちらでもない|どちらでもありません|どっちでもない|どっちも|どちらも|両方|"
    "どちらでも|"
    "どっちでも|どちらでもいい|どっちでもいい|待って|ちょっと待って|待ってください|少々|後で|"
    "あとで|まだ|"
    "分からない|わからない|分かりません|わかりません|未定",
    "nie|żadne|żadna|żaden|oba|obie|obojętnie|czekaj|poczekaj|chwila|chwileczkę|później|nie_wiem|"
    "ne|nic|žádná|žádný|obojí|počkej|počkejte|moment|nevím|hayır|hiçbiri|ikisi_de|bekle|bilmiyorum|"
    "nee|geen|geen_van_beide|allebei|wacht|weet_ik_niet|ні|жодного|жодна|жоден|обидва|зачекай|"
    "не_знаю|아니|아니요|아뇨|둘다|둘|다|아무거나|잠깐|잠깐만|잠시만요|기다려|몰라|모르겠어|"
    "모르겠어요|"
    "لا|كلاهما|انتظر|لا_أعرف|नहीं|nahi|दोनों|dono|रुको|ruko",
};

/* Between two of them, or two names of options. */
static const char *const joinWords =
    "and|or|plus|nor|but|not|und|oder|y|o|u|e|et|ou|ed|и|или|и_или|和|"
    "与|跟|或|或者|と|か|または|&|+|i|lub|a|ve|veya|en|of|та|або|와|"
    "과|or_both|and_or|then";

/* Somebody is there again; nothing more is said by it. */
static const char *const backUnits[] = {
    "i'm|i_am|am|we're|we_are? now? back now|again|online? ",
    "back again|now|online? ",
    "here again|now? ",
    "i'm|i_am|we're|we_are here|there again|now? ",
    "i'm|i_am? at my desk|computer|keyboard again|now? ",
    "i've|i_have? returned again|now? ",
    "ich_bin|bin|wir_sind|sind? jetzt|nun? wieder|zurück da|hier|zurück|online?",
    "da|hier bin ich wieder?",
    "ya? estoy|estamos|he aquí|de_vuelta|de_regreso|de_nuevo|otra_vez|vuelto aquí|ahora?",
    "ya? volví|regresé|he_vuelto|he_regresado|volvimos",
    "je_suis|on_est|me|nous_sommes? revenu|revenue|revenus|de_retour|revoilà|revoici|là",
    "já? voltei|regressei|voltamos|estou_de_volta|tô_de_volta|estou_aqui de_novo|agora?",
    "sono|siamo tornato|tornata|tornati|di_nuovo_qui|qui|rientrato|rientrata ora?",
    "я|мы? снова|опять|уже? вернулся|вернулась|вернулись|тут|здесь|на_связи|на_месте|пришел|пришла",
    "我|我们|我們? 又? 回来|回來|回到|在 了|啦?",
    "ただいま|戻りました|戻った|戻ってきました|帰りました|いま戻りました",
    "wróciłem|wróciłam|jestem|jsem|už z_powrotem|już|zpátky|tady|zpět?",
};

/* A message that begins with one of these says something about the question. */
static const char *const consentWords =
    "yes|yeah|yep|yup|yea|yah|ok|okay|okey|k|kk|sure|alright|all_right|fine|right|correct|agreed|"
    "absolutely|definitely|of_course|no|nope|nah|not|ja|jo|jep|jap|klar|gut|gerne|nein|nee|sí|si|"
    "vale|"
    "bueno|claro|oui|ouais|ok_pour|d'accord|bien_sûr|non|sim|certo|tá|tá_bom|sì|va_bene|да|ага|ок|"
    "окей|"
    "хорошо|ладно|конечно|нет|не|好|好的|好吧|好啊|是|是的|对|嗯|行|可以|不|はい|ええ|うん|いいえ|"
    "いいよ|네|예|응|그래|tak|nie|jasne|ano|jo|jojo|ne|evet|tamam|hayır|goed|prima|так|ні|نعم|لا|"
    "हां|"
    "haan|ji";

/* ---- Folding --------------------------------------------------------------------------------- */

typedef enum CharKind {
  CHAR_NOTHING, /* leaves no trace: accents, apostrophes, variation selectors */
  CHAR_SPACE,   /* ends a word: blanks, control characters, emoji */
  CHAR_STOP,    /* ends a word and says so: punctuation */
  CHAR_LETTER,
  CHAR_ALONE /* a word of its own: a Chinese or Japanese character, a sign that must not be lost */
} CharKind;

/* À … ÿ and Ā … ſ without their accents; ' ' where one letter is not enough or none fits. */
static const char latin1Letters[] = "aaaaaa ceeeeiiiidnooooo ouuuuy  "
                                    "aaaaaa ceeeeiiiidnooooo ouuuuy y";
static const char latinALetters[] = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii"
                                    "  jjkkkllllllllllnnnnnnnnnoooooo  rrrrrr"
                                    "ssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
_Static_assert(sizeof(latin1Letters) == 64 + 1, "one letter for each of U+00C0 to U+00FF");
_Static_assert(sizeof(latinALetters) == 128 + 1, "one letter for each of U+0100 to U+017F");

static int between(unsigned c, unsigned low, unsigned high) {
  return c >= low && c <= high;
}

/* Folds one ASCII character. */
static CharKind foldAscii(unsigned c, unsigned *out) {
  if (between(c, 'A', 'Z')) c |= 0x20;
  *out = c;
  if (between(c, 'a', 'z') || between(c, '0', '9')) return CHAR_LETTER;
  if (c <= ' ' || c == 0x7F) return CHAR_SPACE;
  if (c == '\'') return CHAR_NOTHING;
  return strchr("$%&+<=>@^|", (int)c) ? CHAR_ALONE : CHAR_STOP;
}

/* Emoji that turn what they decorate into its opposite. */
static int isRefusal(unsigned c) {
  return c == 0x274C || c == 0x274E || c == 0x2716 || c == 0x2717 || c == 0x2718 || c == 0x1F6AB ||
         c == 0x1F44E || c == 0x1F6D1 || c == 0x26D4;
}

/* Folds a character: its kind and, for the kinds that leave one, one or two folded characters
** (second 0 when there is none). */
static CharKind foldChar(unsigned c, unsigned *first, unsigned *second) {
  *second = 0;
  if (between(c, 0xFF01, 0xFF5E)) c -= 0xFEE0;             /* full width */
  if (between(c, 0x24B6, 0x24CF)) c = 'a' + c - 0x24B6;    /* circled letters */
  if (between(c, 0x2460, 0x2468)) c = '1' + c - 0x2460;    /* circled digits */
  if (between(c, 0x1F170, 0x1F171)) c = 'a' + c - 0x1F170; /* the blood types A and B */
  *first = c;
  if (c < 0x80) return foldAscii(c, first);

  if (between(c, 0xC0, 0x17F) && c != 0xD7 && c != 0xF7) {
    char base = c < 0x100 ? latin1Letters[c - 0xC0] : latinALetters[c - 0x100];
    if (base != ' ') {
      *first = (unsigned char)base;
    } else if (c == 0xC6 || c == 0xE6) {
      *first = 'a', *second = 'e';
    } else if (c == 0x152 || c == 0x153) {
      *first = 'o', *second = 'e';
    } else if (c == 0xDF) {
      *first = 's', *second = 's';
    }
    return CHAR_LETTER;
  }
  if (between(c, 0x400, 0x45F)) {
    if (c < 0x410) c += 0x50;
    if (c < 0x430) c += 0x20;
    /* Both are also written as letter + accent, and the accent leaves no trace. */
    if (c == 0x451) c = 0x435; /* ё */
    if (c == 0x439) c = 0x438; /* й */
    *first = c;
    return CHAR_LETTER;
  }

  if (between(c, 0x300, 0x36F) || between(c, 0x200B, 0x200F) || between(c, 0x202A, 0x202E) ||
      between(c, 0x2060, 0x206F) || between(c, 0xFE00, 0xFE0F) || between(c, 0x1F3FB, 0x1F3FF) ||
      c == 0xFEFF || c == 0xAD || c == 0x20E3 || c == 0xAA || c == 0xBA || c == 0xB4 ||
      c == 0x2BC || c == 0x2018 || c == 0x2019) {
    return CHAR_NOTHING;
  }
  if (isRefusal(c)) return CHAR_ALONE;
  if (between(c, 0x80, 0xA0) || c == 0x1680 || between(c, 0x2000, 0x200A) || c == 0x2028 ||
      c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000) {
    return CHAR_SPACE;
  }
  if (between(c, 0x2300, 0x23FF) || between(c, 0x2600, 0x27BF) || between(c, 0x2B00, 0x2BFF) ||
      between(c, 0x1F000, 0x1FAFF)) {
    return CHAR_SPACE;
  }
  if (c == 0xA1 || c == 0xBF || c == 0xAB || c == 0xBB || c == 0xB7 || between(c, 0x2010, 0x2027) ||
      between(c, 0x2030, 0x205E) || between(c, 0x3001, 0x3004) || between(c, 0x3008, 0x301F) ||
      c == 0x30FB || between(c, 0xFF61, 0xFF65)) {
    return CHAR_STOP;
  }
  if (between(c, 0x2E80, 0x30FF) || between(c, 0x3400, 0x9FFF) || between(c, 0xF900, 0xFAFF) ||
      between(c, 0x20000, 0x3FFFF) || c == TS_REPLACEMENT_CHARACTER || between(c, 0xA2, 0xB6) ||
      between(c, 0x20A0, 0x20CF) || between(c, 0x2190, 0x22FF)) {
    return CHAR_ALONE;
  }
  return CHAR_LETTER;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* An answer has few words; more make a message no answer (and bound the work). */
#define MAX_WORDS 28
/* Folded characters: at most two per byte of the longest answer. */
#define MAX_CHARS (2 * TS_CHOICE_MAX_ANSWER)

typedef struct Word {
  unsigned short at; /* first folded character */
  unsigned short n;
  unsigned char stop; /* punctuation follows */
} Word;

typedef struct Words {
  unsigned chars[MAX_CHARS];
  Word word[MAX_WORDS];
  int n;
} Words;

/* Splits a text into folded words. Returns 0 when it is too long for an answer. */
static int splitWords(Words *w, const char *text, int n) {
  int nChars = 0, open = 0;
  w->n = 0;
  if (n > TS_CHOICE_MAX_ANSWER) return 0;
  for (int i = 0; i < n;) {
    unsigned c, first, second;
    i += ts_utf8_next(text + i, n - i, &c);
    CharKind kind = foldChar(c, &first, &second);
    if (kind == CHAR_NOTHING) continue;
    if (kind == CHAR_LETTER || kind == CHAR_ALONE) {
      if (!open || kind == CHAR_ALONE) {
        if (w->n == MAX_WORDS) return 0;
        w->word[w->n++] = (Word){(unsigned short)nChars, 0, 0};
      }
      w->chars[nChars++] = first;
      if (second) w->chars[nChars++] = second;
      w->word[w->n - 1].n = (unsigned short)(nChars - w->word[w->n - 1].at);
    } else if (kind == CHAR_STOP && w->n) {
      w->word[w->n - 1].stop = 1;
    }
    open = kind == CHAR_LETTER;
  }
  return 1;
}

/* ---- Patterns -------------------------------------------------------------------------------- */

/* Shortest word in which a typo is forgiven, and the longest in the vocabulary. */
#define TYPO_MIN_LETTERS 5
#define MAX_LETTERS 24

/* True when a and b are one edit apart at most: a letter more, less or other, or two swapped. */
static int almostEqual(const unsigned *a, int nA, const unsigned *b, int nB) {
  while (nA && nB && a[0] == b[0])
    a++, b++, nA--, nB--;
  while (nA && nB && a[nA - 1] == b[nB - 1])
    nA--, nB--;
  if (nA <= 1 && nB <= 1) return 1;
  return nA == 2 && nB == 2 && a[0] == b[1] && a[1] == b[0];
}

static int equalWords(const unsigned *typed, int nTyped, const unsigned *meant, int nMeant,
                      int typos) {
  if (nTyped == nMeant && memcmp(typed, meant, (size_t)nMeant * sizeof(*meant)) == 0) return 1;
  return typos && nMeant >= TYPO_MIN_LETTERS && almostEqual(typed, nTyped, meant, nMeant);
}

/* A quick look at the first two letters, which rules nearly every alternative out: false when
** word i can't be the one that alt begins with, even with a typo. */
static int mayBegin(const Words *w, int i, const char *alt, int n, int typos) {
  const unsigned *typed = &w->chars[w->word[i].at];
  unsigned a = (unsigned char)alt[0], b = n > 1 ? (unsigned char)alt[1] : 0;
  if (!between(a, 'a', 'z') || !between(b, 'a', 'z')) return 1;
  if (typed[0] == a) return 1;
  if (!typos) return 0;
  return typed[0] == b || (w->word[i].n > 1 && (typed[1] == a || typed[1] == b));
}

/* Matches one alternative, n bytes, against the words i … end-1. Returns the number of words it
** takes, or 0. */
static int matchAlternative(const Words *w, int i, int end, const char *alt, int n, int typos) {
  unsigned letters[MAX_LETTERS];
  int nLetters = 0, start = i, at = 0;
  if (n && alt[0] == '=') {
    typos = 0;
    at = 1;
  }
  if (i >= end || !mayBegin(w, i, alt + at, n - at, typos)) return 0;
  for (;;) {
    unsigned c, first = 0, second = 0;
    CharKind kind = CHAR_SPACE; /* the end ends a word, too */
    int over = at >= n;
    if (!over) {
      at += ts_utf8_next(alt + at, n - at, &c);
      kind = c == '_' ? CHAR_SPACE : foldChar(c, &first, &second);
    }
    if (kind == CHAR_LETTER && nLetters + 2 <= MAX_LETTERS) {
      letters[nLetters++] = first;
      if (second) letters[nLetters++] = second;
    }
    if (kind == CHAR_LETTER || kind == CHAR_NOTHING) continue;
    if (nLetters) {
      const Word *word = &w->word[i];
      if (i >= end) return 0;
      if (!equalWords(&w->chars[word->at], word->n, letters, nLetters, typos)) return 0;
      nLetters = 0;
      i++;
    }
    if (kind == CHAR_ALONE) {
      if (i >= end || w->word[i].n != 1 || w->chars[w->word[i].at] != first) return 0;
      i++;
    }
    if (over) return i - start;
  }
}

/* The lengths, in words, that the alternatives in z … zEnd can take at word i: bit k for k. */
static unsigned matchLengths(const Words *w, int i, int end, const char *z, const char *zEnd,
                             int typos) {
  unsigned lengths = 0;
  while (z < zEnd) {
    const char *bar = memchr(z, '|', (size_t)(zEnd - z));
    const char *altEnd = bar ? bar : zEnd;
    int k = matchAlternative(w, i, end, z, (int)(altEnd - z), typos);
    if (k) lengths |= 1u << k;
    z = altEnd + 1;
  }
  return lengths;
}

/* Where the pattern can end when it begins at word i: bit k for "before word k". */
static unsigned matchPattern(const Words *w, int i, const char *pattern, int typos) {
  pattern += strspn(pattern, " ");
  if (*pattern == 0) return 1u << i;
  size_t n = strcspn(pattern, " ");
  int optional = pattern[n - 1] == '?';
  unsigned ends = optional ? matchPattern(w, i, pattern + n, typos) : 0;
  unsigned lengths = matchLengths(w, i, w->n, pattern, pattern + n - optional, typos);
  for (int k = 1; lengths >> k; k++) {
    if (lengths >> k & 1) ends |= matchPattern(w, i + k, pattern + n, typos);
  }
  return ends;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* The ways out that some words can mean: bit 1 << ChoiceAnswer each. An option whose way out is
** ANSWER_NONE has a bit as well, so that picking it is not taken for saying nothing. */
typedef unsigned Meaning;

typedef struct Reading {
  const Words *words;
  const ChoiceOption *options; /* NULL when no choice is at hand */
  int nOptions;
  Words texts[TS_CHOICE_MAX_OPTIONS]; /* the options' own texts; no words: not to be used */
  int typos;
  unsigned char isRead[MAX_WORDS];                  /* the row of meanings is filled in */
  unsigned char meanings[MAX_WORDS][MAX_WORDS + 1]; /* of the words i … end-1 */
} Reading;

/* The place of a single letter among keys, also as typed on a Russian keyboard; 0 for none. */
static char keyLetter(unsigned c, int nOptions) {
  if (between(c, 'a', 'z')) return (char)(c - 'a' + 'A');
  if (c == 0x430) return 'A';                     /* а */
  if (c == 0x431) return 'B';                     /* б */
  if (c == 0x432) return nOptions <= 2 ? 'B' : 0; /* в: looks like B, stands third */
  if (c == 0x441) return nOptions <= 2 ? 0 : 'C'; /* с */
  return 0;
}

/* What word i means as an option's key. */
static Meaning meaningOfKey(const Reading *r, int i) {
  const Word *word = &r->words->word[i];
  char key = word->n == 1 ? keyLetter(r->words->chars[word->at], r->nOptions) : 0;
  for (int k = 0; k < r->nOptions && key; k++) {
    if (r->options[k].key == key || r->options[k].key == (key | 0x20)) {
      return 1u << r->options[k].answer;
    }
  }
  return 0;
}

static Meaning meaningOfPosition(const Reading *r, int position) {
  if (position == LAST) position = r->nOptions;
  if (position == FORMER) position = r->nOptions == 2 ? 1 : 0;
  if (position == LATTER) position = r->nOptions == 2 ? 2 : 0;
  if (position < 1 || position > r->nOptions) return 0;
  return 1u << r->options[position - 1].answer;
}

/* True when option k's text stands at word i. */
static int isOptionText(const Reading *r, int k, int i) {
  const Words *w = r->words, *text = &r->texts[k];
  if (text->n == 0 || text->n > w->n - i) return 0;
  for (int j = 0; j < text->n; j++) {
    const Word *typed = &w->word[i + j], *meant = &text->word[j];
    if (!equalWords(&w->chars[typed->at], typed->n, &text->chars[meant->at], meant->n, r->typos)) {
      return 0;
    }
  }
  return 1;
}

/* Gives a meaning to the words from i to each of the ends. */
static void mark(Reading *r, int i, unsigned ends, Meaning meaning) {
  for (int end = i + 1; end <= r->words->n; end++) {
    if (ends >> end & 1) r->meanings[i][end] |= (unsigned char)meaning;
  }
}

/* Reads all that can begin at word i. The nearest source decides: the letters of this choice, its
** order, its own texts, and only then the phrases that hold for every choice. */
static void readFrom(Reading *r, int i) {
  const Words *w = r->words;
  const Word *word = &w->word[i];
  unsigned char *row = r->meanings[i];
  Meaning offered = ~0u;
  unsigned taken = 0;
  r->isRead[i] = 1;
  memset(row, 0, sizeof(r->meanings[i]));

  if (r->options) {
    offered = 0;
    for (int k = 0; k < r->nOptions; k++)
      offered |= 1u << r->options[k].answer;

    if (word->n == 1 && between(w->chars[word->at], '1', '9')) {
      mark(r, i, 1u << (i + 1), meaningOfPosition(r, (int)(w->chars[word->at] - '0')));
    }
    for (int k = 0; k < COUNT(positions); k++) {
      unsigned ends = matchPattern(w, i, positions[k].pattern, r->typos);
      if (ends) mark(r, i, ends, meaningOfPosition(r, positions[k].position));
    }
    for (int end = i + 1; end <= w->n; end++)
      taken |= row[end] ? 1u << end : 0;
    for (int k = 0; k < r->nOptions; k++) {
      if (isOptionText(r, k, i)) {
        mark(r, i, 1u << (i + r->texts[k].n) & ~taken, 1u << r->options[k].answer);
      }
    }
    for (int end = i + 1; end <= w->n; end++)
      taken |= row[end] ? 1u << end : 0;
  }
  for (int k = 0; k < COUNT(phrases); k++) {
    if (phrases[k].when == AT_CHOICE && !r->options) continue;
    unsigned ends = matchPattern(w, i, phrases[k].pattern, r->typos);
    if (ends) mark(r, i, ends & ~taken, offered & 1u << phrases[k].answer);
  }

  /* A key that is set off is no article: "A, new task", "continue (A)". */
  Meaning key = meaningOfKey(r, i);
  for (int end = i + 2; end <= w->n; end++) {
    if ((key && word->stop) || meaningOfKey(r, end - 1)) row[end] = 0;
  }
  if (key) row[i + 1] = (unsigned char)key;
}

/* What the words i … end-1 mean as one answer. */
static Meaning meaningOf(Reading *r, int i, int end) {
  if (!r->isRead[i]) readFrom(r, i);
  return r->meanings[i][end];
}

/* The same for words that may also be two answers in a row, provided that they agree. A key says
** all there is to say: two of them are two answers, not one. */
static Meaning meaningOfAll(Reading *r, int i, int end) {
  Meaning meaning = meaningOf(r, i, end);
  for (int k = i + 1; k < end && !meaning; k++) {
    Meaning one = meaningOf(r, i, k);
    if (!one || one != meaningOf(r, k, end)) continue;
    if (k == i + 1 && end == k + 1 && meaningOfKey(r, i) && meaningOfKey(r, k)) continue;
    meaning = one;
  }
  return meaning;
}

/* Marks from where, after words that only lead up to it, an answer may begin. */
static void findStarts(const Words *w, int typos, unsigned char *starts) {
  memset(starts, 0, MAX_WORDS + 1);
  starts[0] = 1;
  for (int i = 0; i < w->n; i++) {
    if (!starts[i]) continue;
    for (int k = 0; k < COUNT(leadWords); k++) {
      unsigned lengths =
          matchLengths(w, i, w->n, leadWords[k], leadWords[k] + strlen(leadWords[k]), typos);
      for (int n = 1; n <= w->n - i; n++)
        starts[i + n] |= lengths >> n & 1;
    }
    unsigned lengths = matchLengths(w, i, w->n, leadNo, leadNo + strlen(leadNo), 0);
    for (int n = 1; n <= w->n - i; n++) {
      if ((lengths >> n & 1) && w->word[i + n - 1].stop) starts[i + n] = 1;
    }
  }
}

/* Marks where an answer may end, with only words behind it that close a message. */
static void findEnds(const Words *w, int typos, unsigned char *ends) {
  memset(ends, 0, MAX_WORDS + 1);
  ends[w->n] = 1;
  for (int i = w->n - 1; i > 0; i--) {
    for (int k = 0; k < COUNT(tailWords); k++) {
      unsigned lengths =
          matchLengths(w, i, w->n, tailWords[k], tailWords[k] + strlen(tailWords[k]), typos);
      for (int n = 1; n <= w->n - i; n++)
        ends[i] |= (lengths >> n & 1) && ends[i + n];
    }
  }
}

/* One reading of the whole message. Literally, the answer with the fewest words taken off decides;
** with typos, all that fit are collected, so that a doubt shows as two meanings. */
static Meaning readMessage(Reading *r) {
  unsigned char starts[MAX_WORDS + 1], ends[MAX_WORDS + 1];
  Meaning all = 0;
  const int n = r->words->n;
  memset(r->isRead, 0, sizeof(r->isRead));
  findStarts(r->words, r->typos, starts);
  findEnds(r->words, r->typos, ends);
  for (int i = 0; i < n; i++) {
    for (int end = n; starts[i] && end > i; end--) {
      if (!ends[end]) continue;
      all |= meaningOfAll(r, i, end);
      if (all && !r->typos) return all;
    }
  }
  return all;
}

static void dropPoliteWords(Words *w) {
  int kept = 0;
  for (int i = 0; i < w->n; i++) {
    if (!matchLengths(w, i, i + 1, politeWords, politeWords + strlen(politeWords), 0)) {
      w->word[kept++] = w->word[i];
    } else if (kept) {
      w->word[kept - 1].stop |= w->word[i].stop;
    }
  }
  w->n = kept;
}

static ChoiceAnswer readAnswer(const char *message, int n, const ChoiceOption *options,
                               int nOptions) {
  Words words;
  Reading r;
  if (n <= 0 || !splitWords(&words, message, n)) return ANSWER_NONE;
  dropPoliteWords(&words);
  if (words.n == 0) return ANSWER_NONE;
  memset(r.meanings, 0, sizeof(r.meanings));
  r.words = &words;
  r.options = options;
  r.nOptions = nOptions;
  for (int k = 0; k < nOptions; k++) {
    if (!splitWords(&r.texts[k], options[k].text, options[k].nText)) r.texts[k].n = 0;
    dropPoliteWords(&r.texts[k]);
  }
  for (r.typos = 0; r.typos <= 1; r.typos++) {
    Meaning meaning = readMessage(&r);
    if (meaning == 1u << ANSWER_CONTINUE) return ANSWER_CONTINUE;
    if (meaning == 1u << ANSWER_START_FRESH) return ANSWER_START_FRESH;
    if (meaning) return ANSWER_NONE;
  }
  return ANSWER_NONE;
}

/* ---- What takes none of the ways --------------------------------------------------------------- */

static unsigned lengthsOf(const Words *w, int i, const char *words) {
  return matchLengths(w, i, w->n, words, words + strlen(words), 0);
}

/* "C", "7", "42": what is shaped like the name of an option. */
static int isOptionName(const Words *w, int i) {
  const Word *word = &w->word[i];
  unsigned c = w->chars[word->at];
  if (word->n == 1 && (between(c, 'a', 'z') || between(c, 0x430, 0x44F))) return 1;
  for (int k = 0; k < word->n; k++) {
    if (!between(w->chars[word->at + k], '0', '9')) return 0;
  }
  return word->n > 0;
}

/* Where a name of an option, or another unit of an undecided message, can end that begins at word i: bit
** k for "before word k". */
static unsigned undecidedFrom(const Words *w, int i) {
  unsigned ends = isOptionName(w, i) ? 1u << (i + 1) : 0;
  for (int k = 0; k < COUNT(undecidedUnits); k++)
    ends |= lengthsOf(w, i, undecidedUnits[k]) << i;
  for (int k = 0; k < COUNT(positions); k++)
    ends |= matchPattern(w, i, positions[k].pattern, 0);
  for (int k = 0; k < COUNT(backUnits); k++)
    ends |= matchPattern(w, i, backUnits[k], 0) & ~(1u << i);
  return ends;
}

/* Words that may stand between them. */
static unsigned fillerFrom(const Words *w, int i) {
  unsigned ends = lengthsOf(w, i, joinWords) << i;
  for (int k = 0; k < COUNT(leadWords); k++)
    ends |= lengthsOf(w, i, leadWords[k]) << i;
  for (int k = 0; k < COUNT(tailWords); k++)
    ends |= lengthsOf(w, i, tailWords[k]) << i;
  return ends;
}

/* Is the message made of units, with fillers around them? At least one unit. */
static int isMadeOf(const Words *w, unsigned (*unitsFrom)(const Words *w, int i)) {
  unsigned plain = 1, said = 0; /* bit i: the words before i are used up, without and with a unit */
  for (int i = 0; i < w->n; i++) {
    unsigned units, fillers;
    if (!((plain | said) >> i & 1)) continue;
    units = unitsFrom(w, i);
    fillers = fillerFrom(w, i);
    if (plain >> i & 1) plain |= fillers;
    if (said >> i & 1) said |= fillers;
    said |= units;
  }
  return said >> w->n & 1;
}

static int isUndecided(const char *message, int n) {
  Words w;
  if (n <= 0 || !splitWords(&w, message, n)) return 0;
  dropPoliteWords(&w);
  return isMadeOf(&w, undecidedFrom);
}

ChoiceAnswer ts_choice_match(const char *message, int n, const ChoiceOption *options,
                             int nOptions) {
  ChoiceAnswer answer;
  if (nOptions <= 0) return ANSWER_NONE;
  if (nOptions > TS_CHOICE_MAX_OPTIONS) nOptions = TS_CHOICE_MAX_OPTIONS;
  answer = readAnswer(message, n, options, nOptions);
  if (answer == ANSWER_NONE && isUndecided(message, n)) return ANSWER_UNDECIDED;
  return answer;
}

ChoiceAnswer ts_choice_phrase(const char *message, int n) {
  return readAnswer(message, n, NULL, 0);
}

/* ---- Over an open question ----------------------------------------------------------------------- */

/* The wish to go on, or that somebody is back. */
static unsigned goingOnFrom(const Words *w, int i) {
  unsigned ends = 0;
  for (int k = 0; k < COUNT(phrases); k++) {
    if (phrases[k].when == ANYTIME && phrases[k].answer == ANSWER_CONTINUE)
      ends |= matchPattern(w, i, phrases[k].pattern, 0);
  }
  for (int k = 0; k < COUNT(backUnits); k++)
    ends |= matchPattern(w, i, backUnits[k], 0);
  return ends & ~(1u << i);
}

/* Does the text speak of going on? Beginnings of words of several languages, in lower case; a capital
** outside of ASCII is left away. */
static int speaksOfGoingOn(const char *text, int n) {
  static const char *const words[] = {
      "continu", "contin\xC3\xBA", "resum",   "procee",  "go on", "go ahead", "going",   "carry on",
      "keep",    "next",           "start",   "begin",   "ready", "pick",     "weiter",  "fortf",
      "fortse",  "bereit",         "sigo",    "siga",    "segui", "seguir",   "prosegu", "retom",
      "reanud",  "listo",          "reprend", "poursui", "avan",  "prosseg",  "riprend", "vado",
      "родолж",  "альше",          "озобнов", "отов",    "继续",  "繼續",     "接着",    "恢复",
      "続",      "再開",           "계속",    "kontynu", "dalej", "pokra",    "devam",   "verder",
      "door",    "тривал",         "استمر",   "أكمل",    "जारी"};
  char folded[TS_QUESTION_TAIL + 1];
  if (n <= 0) return 0;
  if (n > TS_QUESTION_TAIL) {
    text += n - TS_QUESTION_TAIL;
    n = TS_QUESTION_TAIL;
  }
  for (int i = 0; i < n; i++)
    folded[i] = (char)(between((unsigned char)text[i], 'A', 'Z') ? text[i] | 0x20
                       : text[i]                                 ? text[i]
                                                                 : ' ');
  folded[n] = 0;
  for (int i = 0; i < COUNT(words); i++) {
    if (strstr(folded, words[i])) return 1;
  }
  return 0;
}

int ts_choice_skips_question(const char *message, int n, const char *question, int nQuestion) {
  Words w;
  if (n <= 0 || !splitWords(&w, message, n)) return 0;
  dropPoliteWords(&w);
  if (w.n == 0 || lengthsOf(&w, 0, consentWords)) return 0;
  return isMadeOf(&w, goingOnFrom) && !speaksOfGoingOn(question, nQuestion);
}
