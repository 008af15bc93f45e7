"""Words that tell whether it is worth matching patterns: every order that they find has some."""

from __future__ import annotations

from molt.policy.orders.word_sets import split_words

_DEFY = split_words(
    "drop all|drop your|remove your|remove all|lift your|lift all|rewrite your|"
    "expired|lapsed|"
    "ignor|disregard|forget|overrid|bypass|discard|do not follow|not obey|don't follow|"
    "set aside|pay no attention|stop following|supersede|olvida|vergiss|missacht|befolge|"
    "umgeh|oubli|esque|yok say|تجاهل|انس|bỏ qua|अनदेखा|भूल|glöm|zapome|lãng|"
    "התעלם|שכח|αγνόησε|αγνοήστε|ξέχασε|ละเว้น|لا تخبر|uitma|uyma|unut|uvažuj|figyelmen|felejtsd|"
    "ігнор|забуд|не кажи|نادیده|unohda|sivuuta|glem|vergeet|zapomnij|nevšímej|desconsider|"
    "не обращай|игнорируй|無視|忘れ|무시|잊어|"
    "abaikan|görmezden|negeer|disattend|replace| void|contourn|outrepass|"
    "désactiv|révèle|revela|muestra|verrat|zeig|gib |affiche|suspended|lifted|imprim|dime|"
    "cancel|revoked|obsolete|disable|turn off|switch off|deactivate|not apply|no longer apply"
)
_TARGETS = split_words(
    "instruc|instruk|prompt|rule|guideline|directive|safety|programming|constraint|above|"
    "before this|anweisung|regel|vorgaben|consigne|règle|istruzion|regole|regla|regra|orden|"
    "инструкц|правил|указани|指示|プロンプト|ルール|지시|명령|규칙|anterior|told|talimat|"
    "تعليمات|الأوامر|القواعد|hướng dẫn|chỉ thị|निर्देश|नियम|ohje|utasít|szabály|"
    "pokyn|pravid|zasad|kural|הוראות|כללים|οδηγί|κανόν|คำสั่ง|กฎ|інструкц|دستور|regler|"
    "polecen|you know|you were|guidance|alles|tes |tus |vos |preceding|previous|asked|"
    "the user|deine|restriction|guardrail|polic|training|vorige"
)
_ROLES = split_words(
    "you are now|you're now|from now on|developer mode|jailbr|do anything now|no restrictions|"
    "without restrictions|unrestricted|unfiltered|pretend |[inst|<system|</system|im_start|"
    "system>|[system|<<sys|system:|system prompt|system message|system override|"
    "new instruction|new task|new rule|you will now|new directive|act as|"
    "real instruction|no ethic|no limit|no rule|no filter|no longer a|no longer bound|"
    "admin message|begin system|begin admin|assistant: |hidden instruction|"
    "initial instruction|henceforth|your new |obey|only this|comply with|<important|<instruct|"
    "<admin|<override|your instruction|system note|### instruction|new objective|real task|"
    "actual task|admin mode|ab jetzt bist du|du bist jetzt|ab sofort|tu es maintenant|"
    "désormais|system]|ahora eres|a partir de ahora|agora você é|adesso sei|ora sei|теперь ты|"
    "с этого момента|これからあなた|あなたは今|今から|이제 너는|지금부터|god mode"
)
_HUSH = split_words(
    "tell|inform|mention|notify|reveal|alert |asking|ask for|confirm|knowledge|secretly|"
    "silently|quietly|covertly|keep this|don't show|not show|never show|not let|"
    "withhold|consent|say nothing|hide this|conceal|disclos|aware|let the user|not know|"
    "find out|notice|be told|not learn|never see|not see|never read|suspect|realise|realize"
)
_WHOM = split_words(
    "user|human|owner|anyone|operator|person|nobody|between us|secretly|silently|covertly|quietly"
)
_HUSHED = split_words(
    "sag dem nutzer|sage dem nutzer|dem benutzer|ohne rückfrage|sans prévenir|"
    "l'utilisateur|al usuario|sin avisar|ao usuário|all'utente|не говори пользовател|"
    "не сообщай|ユーザーに|사용자에게|den nutzer|"
    "nutzer darf|nutzer soll|nutzer muss|besitzer darf|besitzer soll|utilisateur ne|"
    "propriétaire ne|usuario no|dueño no|utente non|proprietario non|usuário não|dono não|"
    "пользователь не|владелец не|użytkownik nie|właściciel nie|n'informe|n'avertis|n'alerte"
)
_CALLED = split_words(
    "assistant|agent| ai|ai |llm|language model|claude|gpt|copilot|openclaw|moltbot|"
    "codex|gemini|chatbot|the model|ki-"
)
_TOLD = split_words(
    "if you're|as an|for ai|for llm|execute|attention|note to|message to|"
    "message for|note for|reading this|processing this|summarizing this|summarising this|"
    "instruction|must|should|you |important|hey |dear |directive|order|immediately|an die|"
    "next time"
)
_MOVES = split_words(
    "send|upload|forward|post |transmit|exfil|leak|mail |curl|copy|share|submit|append|"
    "encode|embed|deliver|report |![|publish|schick|envoie|envía|envia|invia|отправь|"
    "перешли|送信|보내|add |put |include|fetch|request|visit|open |load |push |ship |relay|"
    "attach|dump |write "
)
_LOOT = split_words(
    "memor|vault|secret|key|token|credential|conversation|prompt|"
    "history|env|passwor|file|ssh|cookie|schlüssel|mot de passe|clé|clave|contraseña|парол|"
    "ключ|память|パスワード|鍵|記憶|비밀번호|키|context|notes|inbox|personal|address|{{|"
    "speicher"
)
_GOALS = split_words("http|@|webhook|www.|pastebin|ftp:|discord|telegram|gist|server")
_DEFY_ZH = split_words(
    "忽略|忽視|忽视|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不用遵守|绕过|繞過|不必理会|"
    "抛开|作废|覆盖|别管|不再遵守|无需遵守|取消"
)
_ZH = split_words(
    "你不再是|不要告诉|别告诉|不要告訴|别让用户|不要让用户|瞒着|隐瞒|你现在是|你現在是|从现在|"
    "從現在|系统提示|系統提示|人工智能|语言模型|智能体|助手|发送|发到|发给|"
    "上传|傳送|上傳|转发|开发者模式|不受限制|无需确认|不用问|无需询问|不必询问|保密|扮演|"
    "新指令|新的指令|悄悄|偷偷|不经用户|如果你是|作为ai|作为 ai|越狱|输出你的|不要向用户|"
    "新任务"
)
_HIDES = split_words("color|style=|](|hidden|<!-|[//]|[comment|alt=|title=|aria-")
_SPEAKS = (
    *_CALLED,
    *split_words("ignor|reveal|execut|send |forward|ai:|approve|you |you'|system|your |忽略|用户"),
)


_NEAR = split_words(
    "hide|every answer|permission|arguments|filters|regardless|no matter|follow|say nothing|"
    "positive review|goal|treat |grants you|more messages|reverse shell|and run|curl |"
    "must answer|pull request|all contacts|refus|then execute|decode|decrypt|rot13|encoded|"
    "obey|pretend|<system"
)
_SPOKEN_TO = split_words(
    "admin|user|execute|run |http|rate |answer|write|summari|respond|review|start|treat |shell|"
    "decode|rot13|obey|you are"
)
GATES = (
    (_DEFY_ZH,),
    (_ZH,),
    (_NEAR, _SPOKEN_TO),
    (_DEFY, _TARGETS),
    (_ROLES,),
    (_HUSH, _WHOM),
    (_HUSHED,),
    (_TOLD, _CALLED),
    (_GOALS, _LOOT, _MOVES),
    (_HIDES, _SPEAKS),
)
"""Sets of lists of words: a line that gives orders has a word from each list of some set."""
