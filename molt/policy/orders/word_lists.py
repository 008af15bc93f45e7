"""Orders to an agent, told by lists of words: whom a line speaks to, what it wants done, to what,
and what is to be kept quiet.

No list alone makes an order. A line that speaks to its reader, names something that an agent guards
and says where to send it is an order in any phrasing. So each part is a list of words in many
languages, and an order is a set of parts that stand in one line, in whatever order.
"""

from __future__ import annotations

from molt.policy.orders import word_lists_foreign as foreign
from molt.policy.orders.word_sets import WordSets, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


_READING = split_words(
    "when you read|when you see|if you read|if you see|if you are reading|as you read|"
    "once you read|"
    "upon recall|when recalled|when loaded|reading this|"
    "processing this|loading this|summarizing this|summarising this|recalling this|parsing this|"
    "reader of this|reads this|sees this|loads this|retrieving this|indexing this|you load this|"
    "you retrieve|you recall|you find this|seeing this|whoever processes|ingest|看到这|看到此|"
    "读到这|读到此|阅读本|读取本|阅读此|处理本|处理这|讀到|看到本|wenn du das|wenn du dies|"
    "wenn sie dies|nach dem lesen|beim lesen|quand tu li|quand vous li|si tu lis|en lisant|"
    "après avoir lu|cuando lea|al leer|si lees|si estás leyendo|tras leer|quando legg|se leggi|"
    "leggendo|quando ler|ao ler|se você está lendo|когда прочит|когда чита|прочитав|"
    "если ты чита|читая это|gdy to czyt|kiedy to czyt|jeśli to czyt|po przeczyt|これを読|"
    "読んだら|読み込|이것을 읽|이 글을 읽|읽으면|bunu oku|okuduğun|als je dit leest|na het lezen"
)
_NAMED = split_words(
    "claude|chatgpt|copilot|gemini|openclaw|moltbot|assistant|language model|"
    " llm|ai:|ai,|ai |the bot|bot:|agent:|agent,|agents:|to the model|model:|models:|chatbot|"
    "ai请|ai注意|ai助手|智能体|的模型|本模型|人工智能请|ki-assistent|an die ki|ki:|l'ia|"
    "asistente|assistente|ассистент|нейросет|asystent|アシスタント|aiへ|어시스턴트|asistan"
)
_SELF = split_words(
    "your answer|your next|your repl|your respons|your output|your summar|your instruct|"
    "your rule|your guid|your prompt|your purpose|your training|your safety|your restrict|"
    "your filter|your constraint|your limit|your polic|your guardrail|your developer|your creator|"
    "your memor|your config|your tool|your context|you were told|you were given|you got at|"
    "told you|gave you|configured for you|set for you|its answers|its repl|every answer|"
    "every reply|every response|each answer|each reply|each response|all answers|all replies|"
    "all responses|next answer|next reply|next response|next message|next pull request|"
    "next commit|回复中|你收到的|deine antwort|"
    "deiner antwort|jede antwort|jeder antwort|deinen antwort|ta réponse|tes réponses|"
    "chaque réponse|réponds|tu respuesta|tus respuestas|cada respuesta|responde|rispondi|"
    "ogni risposta|sua resposta|suas respostas|responda|ответ|odpowied|回答|답변|출력"
)
_DO = split_words(
    "send|forward|upload|paste|post |email|e-mail|mail |transmit|exfil|copy|publish|"
    "include|append|embed|attach|print|output|dump|reveal|disclose|open the vault|share|leak|"
    "relay|encode|transfer|push |put |list |write out|hand over|swap|replace|delete|remove|"
    "wipe|erase|overwrite|run |execute|call |invoke|发送|发到|发给|上传|输出|打印|同步到|转发|"
    "复制|泄露|删除|清空|执行|schick|übertrag|lösch|kopier|poste|envoie|envoy|"
    "transmet|supprime|efface|copie|publie|envía|envia|manda|borra|elimina|copia|publica|"
    "cancella|inoltra|apague|отправ|перешл|удали|сотри|скопиру|выведи|покажи|wyślij|usuń|"
    "skopiuj|送信|送って|送れ|削除|出力|보내|삭제|출력|gönder|stuur"
)
_LOOT = split_words(
    "vault|memory.md|memories|your memory|all memory|secret|api key|api-key|keys you|ssh key|"
    "private key|id_rsa|.ssh|.env|env var|environment var|credential|password|passphrase|"
    "conversation|chat history|system prompt|hidden prompt|token|everything you know|"
    "personal data|address book|soul.md|user.md|memory/|recovery code|wallet|account number|"
    "记忆|密码|密钥|金库|凭证|对话|聊天记录|保险库|zugangsdat|passwört|passwort|schlüssel|"
    "gedächtnis|mots de passe|mot de passe|les clés|la clé|coffre|contraseña|las claves|"
    "credencial|las llaves|le chiavi|segreti|senha|as chaves|cofre|парол|ключи|секрет|"
    "память|hasł|klucz|sekret|パスワード|記憶|鍵|비밀번호|기억|열쇠|şifre|wachtwoord"
)
_SINK = split_words(
    "http|@|www.|webhook|pastebin|server|pull request|your next|next answer|next reply"
)
_HUSH = split_words(
    "do not mention|don't mention|not to mention|do not tell|don't tell|tell nobody|tell no one|"
    "without telling|not explain why|never say why|not say why|without saying why|never explain|"
    "need not know|doesn't need to know|must not know|should not know|say nothing|"
    "leave this out|keep quiet|keep it quiet|stay silent about|report success|cannot see this|"
    "can't see this|without notif|without inform|no need to tell|omit this|do not reveal|"
    "don't reveal|do not disclose|pretend it|不要告诉|别告诉|不要提|别提|不要跟|隐瞒|保密|"
    "无需告知|不必告知|不用告诉|不要让|瞒着|erwähne es nicht|nicht erwähn|sag niemand|"
    "sag es nicht|sage nichts|ohne es zu|ohne zu erwähn|sans jamais dire|sans le dire|"
    "ne le dis|n'en parle|ne mentionne|sans prévenir|no se lo digas|no lo mencion|no digas|"
    "sin decir|sin avisar|sin mencion|senza dirlo|non dirlo|non menzion|senza avvis|"
    "sem avisar|não conte|não mencion|не говори|никому|не упомина|не сообща|nie mów|"
    "nie wspomin|理由は聞か|言わない|知らせず|秘密に|말하지 마|알리지|söyleme|vertel het niet"
)
_SKIP = split_words(
    "without ask|without confirm|without review|without approv|without check|without permission|"
    "without any safety|without a question|skip the approval|skip approval|skip the confirm|"
    "skip confirm|skip the review|bypass the confirm|bypass confirm|bypass approv|bypass the app|"
    "no confirmation|no approval|never asks for|never wants to be asked|"
    "does not want to be asked|no need to ask|no need to confirm|"
    "grant all permission|auto-approve|automatically approve|always approve|approve every|"
    "不需要再|不需要确认|无需确认|不用确认|无需再|不必确认|无需询问|不必询问|不用问|直接执行|"
    "直接删除|直接付款|ohne rückfrage|ohne zu fragen|ohne bestätig|sans demander|"
    "sans confirmation|sin preguntar|sin confirm|sin pedir|senza chieder|senza conferm|"
    "sem perguntar|sem confirm|без подтвержд|не спрашива|bez pytania|bez potwierdz|確認なし|"
    "確認せず|확인 없이|묻지"
)
_OWNER = split_words(
    "the user|the owner|the operator|the human|your user|your owner|your human|anybody|anyone|"
    "用户|主人|使用者|der nutzer|dem nutzer|des nutzers|l'utilisateur|el usuario|al usuario|"
    "l'utente|o usuário|пользовател|владел|użytkownik|ユーザー|사용자|kullanıcı|"
    "standing rule|whenever|from now on|always|一律|以后|任何|ab sofort|désormais|toujours|"
    "siempre|sempre|всегда|zawsze"
)
_DEED = split_words(
    "delet|money|pay|transfer|invoice|command|execut|run |send|push|merge|permission|install|"
    "approv|purchas|order|buy|wire|request|删除|付款|转账|执行|支付|文件|zahl|überweis|lösch|"
    "ausführ|virement|supprim|exécut|pag|borra|ejecut|cancella|esegu|"
    "удал|плат|перевод|выполн|usuw|płat|wykon|実行|削除|支払|삭제|실행|결제"
)
_RULES = split_words(
    "guidance|your instruction|instructions you|your rules|rules you|directive|guardrail|"
    "safety training|safety check|safety rule|your purpose|your role|your training|"
    "system prompt|developer message|configured for you|operator configured|"
    "what you were told|policy you|先前的限制|之前的限制|你的限制|规矩|指令|设定|准则|"
    "anweisung|vorgaben|consignes|instruccion|istruzion|instruç|инструкци|указани|zasad|"
    "polece|instrukcj|指示|지시|talimat"
)
_VOID = split_words(
    " void|out of date|outdated|obsolete|does not cover|do not cover|not apply|"
    "no longer|test fixture|has changed|have changed|superseded|supersedes|"
    "override|replaced|revoked|lifted|suspended|expired|discard|do not count|"
    "does not count|only a test|was a test|were a test|was a placeholder|cancelled|canceled|"
    "不算数|作废|无效|失效|不再适用|丢弃|抛弃|"
    "忘了|忘掉|忘记|gilt nicht|gelten nicht|ungültig|vergiss|aufgehoben|"
    "ne valent plus|ne s'appliqu|oublie|annulé|ya no|no aplican|olvida|anulad|"
    "non valgono|dimentica|annullat|esqueça|não valem|не действ|больше не|не учитыва|забудь|"
    "отмен|zapomnij|nie obowiąz|nieważn|無効|忘れ|잊|무시|geçersiz|unut"
)
_TEXT = split_words(
    " you|this file|this note|this text|this memory|this document|this page|this message|"
    "the following|only this|你|您|从这一刻|从此刻|"
    "du |dir |dich |dein|tu |te |toi|vous|ti |tú|tuo|você|teu|"
    "ты|теб|твои|słuchasz|twoj|あなた|너|당신|sen |sana"
)
_ROLE = split_words(
    "you are my|you are now|you are a |you are an |stay in character|in character as|"
    "play the role|roleplay|role-play|role play|pretend|act as|imagine you|"
    "forget who you are|vergiss, wer du|oublie qui tu|olvida quién|dimentica chi|esqueça quem|"
    "забудь, кто|忘了你是谁|忘记你是谁|zapomnij, kim|let's play|hypothetical|"
    "if you had no|as if you had|you serve|扮演|假装|你要扮|"
    "du bist jetzt|spiel die rolle|stell dir vor|tu es maintenant|joue le rôle|imagine que tu|"
    "eres ahora|ahora eres|actúa como|imagina que|fai finta|sei ora|finja|você é agora|"
    "представь|притворись|ты теперь|udawaj|wyobraź sobie|なりきって|척해"
)
_FREE = split_words(
    "no filter|without filter|no restriction|without restriction|no rules|no limits|no moral|"
    "no ethic|without ethic|answers every question|answers everything|legal or not|"
    "never refuses|cannot refuse|can't refuse|uncensored|unfiltered|unrestricted|"
    "anything goes|hidden prompt|.env|contents of|没有任何|不受|没有限制|无限制|没有道德|"
    "ohne regeln|ohne filter|ohne einschränk|sans règle|sans filtre|sans limite|sin reglas|"
    "sin filtro|sin restric|senza regole|senza filtr|sem filtro|sem regras|без ограничен|"
    "без фильтр|без правил|bez ogranicz|bez filtr|制限なし|制限のない|제한 없"
)
_STEER = split_words(
    "recommend|prepend|sponsored|add a link|link to|insert|rank this|rank first|rate this|"
    "steer|promote|in favour of|in favor of|correct verdict|best candidate|buy |invest|"
    "推荐|投资|链接|広告|リンク|empfehl|empfieh|recommand|recomiend|recomend|"
    "raccomand|consigli|рекоменд|polecaj|추천"
)
_IF_AI = split_words(
    "若你是ai|若你是一个ai|如果你是ai|如果你是一个ai|如果你是语言模型|若你是语言模型|"
    "wenn du eine ki|wenn du ein sprachmodell|si tu es une ia|si tu es un modèle|"
    "si eres una ia|si eres un modelo|se sei un'ia|se sei un modello|se você é uma ia|"
    "se você é um modelo|если ты ии|если ты языков|если ты ассист|jeśli jesteś ai|"
    "jeśli jesteś model|jeśli jesteś asyst|あなたがaiなら|あなたがllm|"
    "당신이 ai|네가 ai|als je een ai"
)
_USER_ASKS = split_words(
    "the user asks|user asks about|asks you about|wenn der nutzer|quand l'utilisateur|"
    "cuando el usuario|quando l'utente|quando o usuário|kiedy użytkownik|gdy użytkownik|"
    "когда пользователь|当用户|如果用户|ユーザーが|el usuario pida|el usuario pregunt|"
    "użytkownik zapyta|użytkownik poprosi|l'utilisateur demande|der nutzer fragt|"
    "der nutzer nach|l'utente chied|o usuário pergunt|o usuário pedir|пользователь спрос|"
    "用户问|用户询问|用户想|ユーザーに聞かれ|사용자가 물"
)
_ALWAYS = split_words(
    "always|siempre|sempre|toujours|immer|zawsze|всегда|总是|一律|必须|必ず|항상|never say|hide|"
    "ocult|cache |verschweig|nascond|escond|скры|ukryj|隐瞒|隠"
)
_OBEY = split_words(
    "obey|listen to|answer to|answers to|gehorch|hör auf|obéis|obedece|haz caso|obbedisci|"
    "obedeça|слушай|подчиня|słuchaj|听从|服从|听我的|従え|따르"
)
_ALONE = split_words(
    "only|alone|over everybody|over everyone|nobody else|no one else|nur |seulement|"
    "solo |solamente|"
    "apenas|только|tylko|只|だけ|만 "
)
_GUARDED = split_words(
    ".env|id_rsa|gedächtnis|tresor|"
    "zugangsdat|coffre|la mémoire|les clés|la memoria|la bóveda|las claves|cofre|a memória|"
    "as chaves|le chiavi|памят|парол|ключи|pamięc|hasł|klucz|記憶|パスワード|기억|비밀번호"
)
_ADDRESS = split_words("http|@|www.|.example|webhook|ftp:")
_NO_ASKING = split_words(
    "non chiedere conf|non chiedere mai|ne demande pas|ne demande jamais|no pidas|nunca pidas|"
    "nunca preguntes|no preguntes|não peça|nunca peça|nunca pergunte|não pergunte|frag nicht|"
    "frag nie|frage nie|frage nicht|не спрашивай|nie pytaj|nigdy nie pyt|"
    "不要问|别问|確認するな|묻지 마"
)
_TEXT_OF_AGENT = split_words(
    "machine|this file|this note|owner|besitzer|nutzer|propriétaire|utilisateur|dueño|usuario|"
    "proprietario|utente|usuário|владел|пользовател|właścic|użytkown|用户|主人|现在|所有者|주인|"
    "rule|from now|ab jetzt|désormais|ahora|ora |agora|теперь|teraz"
)
_POSES = split_words(
    "system notice|system message|system update|security notice|admin notice|admin message|"
    "maintenance mode|operating mode|message from the developer|message from your developer|"
    "message from anthropic|message from openai|verification required|clearance|系统通知|系统消息|"
    "系统提示:|系统提示：|管理员通知|官方通知|systemmeldung|message système|mensaje del sistema|"
    "messaggio di sistema|mensagem do sistema|системное сообщение|komunikat systemowy|"
    "システム通知|시스템 알림"
)
_ASKED = split_words(
    "reply only with|answer only with|respond only with|only reply with|do not summari|"
    "instead reply|instead answer|verdict is|rank this|rate this|grade this|score this|"
    "regardless of what follows|whatever follows|只回答|只回复|nur antwort|réponds uniquement|"
    "responde solo|rispondi solo|responda apenas|отвечай только|odpowiadaj tylko"
)
_ASKING = split_words("confirm|approval|dialog|restriction|safety|guardrail|确认|限制")
_GONE = split_words(
    "retired|directly|without|lifted|disabled|no longer|at once|suspended|switched off|取消|解除"
)
_ORDERS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (_READING, _DO, (*_LOOT, *_SINK)),
    (_READING, _HUSH),
    (_NAMED, ("please ", "must ", "correct ", "必须"), (*_ASKED, "rank ")),
    (_RULES, _VOID, _TEXT),
    (_OWNER, _SKIP, _DEED),
    (_HUSH, _SELF, _STEER),
    (_DO, _LOOT, _SELF),
    (_ROLE, _FREE),
    (_ASKED, ("do not summari", "don't summari", "instead of summari", "rather than summari")),
    (_IF_AI,),
    (_USER_ASKS, _STEER, _ALWAYS),
    (_USER_ASKS, _LOOT, _ADDRESS, _DO),
    (_OBEY, _ALONE, _TEXT_OF_AGENT),
    (_NO_ASKING, _DEED),
    (foreign.UNASKED, foreign.BIDS),
    (foreign.OWN_RULES, foreign.DROPS, foreign.THEN),
    (foreign.AS, foreign.FREED),
    (_POSES, _DO, (*_LOOT, *_SELF)),
    (_POSES, _ASKING, _GONE),
    (foreign.HENCE, foreign.YOU, foreign.BOUND),
    (foreign.NEXT_WRITE, foreign.MEMORY, foreign.ADDS),
    (foreign.OWNER_ASKS, foreign.ACCOUNT, foreign.GIVES),
    (foreign.FORGETS, foreign.WERE_TOLD),
    (foreign.AGENTS, foreign.MUST, (*foreign.UNASKED, *foreign.SKIPS)),
    (foreign.AGENTS, foreign.MUST, foreign.SENDS, foreign.ALL, _ADDRESS),
    (foreign.HENCE, foreign.SENDS, foreign.ALL, _ADDRESS),
    (foreign.ALL, foreign.MAILS, foreign.MUST, foreign.SENDS, _ADDRESS),
    (foreign.RULED, _VOID, foreign.THIS),
    (foreign.SKIP, foreign.CHECKS, (*foreign.HENCE, *foreign.RULED)),
    (foreign.ALLOWED, _LOOT),
)
"""Parts that are an order where all of some stand in one line."""
_VEILED: tuple[tuple[tuple[str, ...], ...], ...] = (
    (split_words("ignore|disregard|forget|override|bypass|discard"), (*_RULES, "rules")),
    (_DO, _LOOT),
)
"""Of what was hidden less is enough: nobody hides what is harmless."""
_IN_ROW = ((_DO, _GUARDED, _ADDRESS),)
"""The same, of parts that stand one behind the other."""
_FAKED = split_words(
    '<function|<tool|invoke|tool_call|"role"|im_start|header_id|[inst]|assistant:|assistant :|'
    '### assistant|## response|next_action|next_step|instruction"|"args"|"arguments"|"parameters"|'
    "required_action|"
    "as if|as though|like those|in files|in documents|in notes|in memor|in web|in email|quietly |"
    "secretly |silently |covertly |discreetly |will now|'ll now|shall now|"
    "going to now|whatever you|"
    "your purpose|your role|your mission|your loyalty|pretend|assume|act like|"
    "<assistant|<ai>|> developer:|> system:|> admin:|>developer:|>system:|"
    "whichever|whoever|whatever agent|"
    "any agent|every agent|above the |before the |assistant, |assistant! |claude, |chatgpt, |"
    "copilot, |gemini, |agent, |bot, |tool_result|function_result|role:|[admin]|[system]"
)
"""Of what is told by its form the words that such a line has."""


GATES = ((_FAKED,), *_ORDERS, *_VEILED, *_IN_ROW)
"""Sets of lists of words: an order has a word of each list of a set, or the form of one."""
_TABLE = WordSets((*_ORDERS, *_VEILED, *_IN_ROW))


def find_parts(text: str, *, veiled: bool) -> Iterator[int]:
    """Where the orders begin whose parts are all in a text, by the first of each."""
    for parts in _TABLE.find_held(text):
        if parts in _IN_ROW:
            at = _find_sequence(parts, text)
            if at >= 0:
                yield at
        elif veiled or parts not in _VEILED:
            yield min(_find_first(words, text) for words in parts)


def _find_sequence(parts: tuple[tuple[str, ...], ...], text: str) -> int:
    """Where parts begin that stand one behind the other; -1 where they do not."""
    at, first = 0, -1
    for words in parts:
        at = _find_first(words, text, at)
        if at < 0:
            return -1
        first = at if first < 0 else first
    return first


def _find_first(words: tuple[str, ...], text: str, start: int = 0) -> int:
    """Where the first of some words stands, from a place on; -1 where none does."""
    found = [at for word in words if (at := text.find(word, start)) >= 0]
    return min(found, default=-1)
