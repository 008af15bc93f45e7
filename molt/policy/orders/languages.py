"""Orders to an agent in other languages than English: German, French, Spanish, Portuguese, Italian,
Dutch, Polish, Turkish, Indonesian, Russian, Japanese, Korean and Chinese.
"""

from __future__ import annotations

import re

_ELSEWHERE = (
    (
        r"(?:ignorier\w*|vergiss|vergesst|missachte\w*|umgeh\w*|befolge nicht)\b.{0,40}(?:vorherig"
        r"|bisherig|obig|früher|vorangegang|deine|alle)\w*\s.{0,30}(?:anweisung|instruktion|regel|"
        r"vorgabe|anordnung|befehl|prompt)"
    ),
    (
        "(?:ignore[zr]?|oublie[zr]?|négligez?|ne (?:tiens|"
        r"tenez) (?:pas|plus) compte)\b.{0,40}(?:instructions?|consignes?|règles|directives|"
        r"invites?)\b.{0,25}(?:précédent|antérieur|ci-dessus|d'avant|au-dessus|système|donn)"
    ),
    (
        r"(?:ignore[zr]?|oublie[zr]?)\b.{0,20}(?:toutes? )(?:tes|vos|les) (?:instructions|"
        "consignes|règles)"
    ),
    (
        r"(?:ignora|ignore|ignorad|olvida|olvide|omite|descarta)\b.{0,30}(?:instrucci|órdenes|"
        "reglas|indicaciones|directrices).{0,30}(?:anterior|previa|de arriba|del sistema|recibid|"
        "que te)"
    ),
    (
        r"(?:ignore|ignora|esqueça|esquece|desconsidere|descarte)\b.{0,30}(?:instruç|regras|ordens"
        r"|orientaç|diretrizes).{0,30}(?:anterior|prévia|acima|do sistema|recebid)"
    ),
    (
        r"(?:ignora|dimentica|ignorate|dimenticate|trascura|tralascia)\b.{0,30}(?:istruzion|regole"
        r"|ordini|direttive|indicazioni).{0,30}(?:precedent|sopra|di sistema|ricevut)"
    ),
    (
        r"(?:negeer|vergeet|sla)\b.{0,30}(?:vorige|eerdere|bovenstaande|voorgaande|"
        r"alle)\b.{0,20}(?:instructies|opdrachten|regels|aanwijzingen)"
    ),
    (
        r"(?:zignoruj|ignoruj|zapomnij|pomiń)\b.{0,30}(?:poprzedni|wcześniejsz|powyższ|wszystk)\w*"
        r".{0,20}(?:instrukcj|polece|zasad)"
    ),
    (
        r"(?:önceki|yukarıdaki|tüm)\b.{0,25}(?:talimat|kural|komut)\w*.{0,20}(?:yok say|görmezden|"
        r"unut)"
    ),
    r"abaikan\b.{0,30}(?:instruksi|perintah|aturan).{0,20}(?:sebelum|di atas)",
    (
        r"(?:игнорир\w*|забудь\w*|не обращай\w*|отмени\w*|пренебре\w*).{0,40}(?:предыдущ|прежн|"
        r"прошл|вышеуказанн|все|свои|системн)\w*.{0,25}(?:инструкци|указани|правил|команд|"
        "распоряжени)"
    ),
    (
        "(?:これまで|以前|上記|前|すべて|全て|今まで).{0,12}(?:指示|命令|ルール|プロンプト|"
        "指令).{0,8}(?:無視|忘れ|破棄|従わ)"
    ),
    r"(?:이전|앞의|위의|모든|지금까지).{0,12}(?:지시|명령|규칙|지침|프롬프트).{0,8}(?:무시|잊)",
    (
        "(?:忽略|忽視|忽视|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不用遵守|绕过|繞過|"
        "不必理会|抛开|别管|不再遵守|无需遵守|取消).{0,8}(?:之前|先前|以前|以上|上述|上面|前面|"
        "此前|所有|一切|全部|系统|系統|你的|原有|既有|安全).{0,10}(?:指令|指示|提示词|提示詞|"
        "规则|規則|命令|设定|設定|限制|约束|系统提示|提示|内容|说明|要求)"
    ),
    (
        "(?:之前|先前|以前|以上|上述|前面|所有|原有).{0,6}(?:指令|指示|规则|規則|命令|设定|限制|"
        "提示词).{0,6}(?:作废|无效|失效|取消|不再有效|全部忽略|忽略|忘掉)"
    ),
    (
        "(?:du bist (?:jetzt|ab jetzt|nun)|ab (?:jetzt|sofort) bist du|tu es (?:maintenant|"
        "désormais)|ahora eres|a partir de ahora,? (?:eres|debes|responde)|(?:agora você é|"
        "a partir de agora você)|(?:adesso|ora) sei|d'ora in poi (?:sei|devi)|(?:теперь ты|"
        r"с этого момента ты)).{0,60}(?:assist|ohne|sans|sin |sem |senza|без|ki\b|ia\b|ии\b|modus|"
        "mode|modo|beschränk|bot|режим|hacker)"
    ),
    (
        "(?:你现在是|你現在是|从现在(?:开始|起)[,，]?你|從現在(?:開始|起)[,，]?你|请?扮演|"
        "現在起[,，]?你).{0,40}(?:没有|不受|无|無|限制|开发者|管理员|越狱|模式|助手|黑客|必须|"
        "只能|不再|要|听从|服从)"
    ),
    (
        "(?:忽略|无视|無視|不理会)(?:用户|主人|使用者)的?.{0,4}(?:要求|指令|请求|话|问题|命令)"
        "|你不再是.{0,14}[,，]?你(?:现在)?是"
    ),
    (
        r"(?:contourne|outrepasse|désactive|viole|enfreins)\w*\b.{0,20}(?:tes|vos|"
        "toutes les) (?:règles|consignes|filtres|restrictions)"
    ),
    (
        r"(?:révèle|affiche|montre|donne|imprime)\w*\b.{0,16}(?:ton|votre|tes|vos) (?:prompt|"
        "instructions|consignes|message système|mots? de passe)"
    ),
    (
        r"vergiss\w* alles,? was (?:dir|du|man dir|oben|vorher|bisher)"
        r"|(?:zeige?|verrate?|gib|nenne)\b.{0,10}(?:deine?n?|den) (?:system-?prompt|"
        "systemanweisung|anweisungen|geheim)"
    ),
    (
        r"(?:muestra|revela|imprime|dime)\b.{0,10}(?:tu|tus) (?:prompt|instrucciones|"
        "mensaje de sistema|secretos)"
        r"|olvida\w* (?:todas )?tus (?:instrucciones|reglas)"
    ),
    r"(?:进入|启用|切换到|打开|激活).{0,4}(?:开发者|越狱|管理员|调试|无限制|上帝)模式",
    (
        "(?:あなたは今から|これからあなたは|지금부터 (?:너는|당신은)|이제 너는|이제부터 (?:너는|"
        "당신은)).{0,60}(?:制限|なしで|モード|アシスタント|제한|모드|없이|답)"
    ),
    (
        "(?:sage?|sag|erzähle?|verrate?|teile?) (?:es )?(?:dem|der|den) (?:nutzer|benutzer|"
        r"anwender|menschen|user|besitzer)\w*.{0,30}\b(?:nichts|nicht)\b"
    ),
    r"(?:informiere|erwähne|frage?)\b.{0,20}(?:nutzer|benutzer|anwender)\w*.{0,20}\bnicht\b",
    (
        r"n['’](?:informe|avertis|alerte)\w* pas.{0,20}(?:l'utilisateur|l’utilisateur|"
        r"propriétaire)|"
        "ne (?:dis|dites|préviens|prévenez|mentionne[zr]?|révèle[zr]?|"
        "parle[zr]?).{0,25}(?:l'utilisateur|l’utilisateur|au propriétaire)"
    ),
    (
        r"(?:nutzer|benutzer|besitzer)\w*\b.{0,16}\b(?:darf|soll|muss|braucht)\b.{0,24}\b(?:nicht|"
        r"nichts|nie)\b.{0,16}(?:erfahren|wissen|merken|mitbekommen)"
        r"|(?:l['’]utilisateur|propriétaire) ne (?:doit|devra|peut)\b.{0,16}(?:rien|pas|jamais)\b"
        ".{0,12}(?:savoir|apprendre|remarquer|voir)"
        r"|(?:usuario|dueño) no (?:debe|puede|tiene que|ha de)\b.{0,12}(?:saber|enterarse|notar)"
        r"|(?:utente|proprietario) non deve\b.{0,12}(?:sapere|saperlo|accorgersi|notare)"
        r"|(?:usuário|dono) não (?:deve|pode|precisa)\b.{0,12}(?:saber|notar|perceber)"
        r"|(?:пользовател|владел)\w* не (?:долж\w+|следует|нужно)\b.{0,12}(?:знать|узнать|замет)"
        r"|(?:użytkownik|właściciel)\w* nie (?:może|powinien)\b.{0,12}(?:wiedzieć|dowiedzieć)"
    ),
    r"no (?:le )?(?:digas|diga|menciones|informes|avises|reveles).{0,30}(?:usuario|dueño|humano)",
    r"não (?:diga|conte|informe|mencione|avise).{0,30}(?:usuário|dono|utilizador)",
    r"non (?:dire|informare|menzionare|rivelare|avvisare).{0,30}(?:utente|proprietario)",
    r"не (?:говори|сообщай|рассказывай|упоминай|показывай).{0,30}(?:пользовател|владельц|человек)",
    (
        "ユーザー.{0,6}(?:には|に|へ).{0,16}(?:言わない|伝えない|知らせない|話さない|言うな|"
        "伝えず|教えない|明かさない)"
        "|사용자에게.{0,14}(?:말하지|알리지|언급하지|보여주지)"
    ),
    (
        "(?:不要|别|勿|不得|无需|請勿|请勿)(?:告诉|告訴|通知|告知|提醒|向|让|讓|跟|和|询问|"
        "对).{0,6}(?:用户|用戶|主人|使用者|人类|任何人)(?!名|界面|体验|端|空)"
    ),
    (
        "(?:瞒着|瞞著|背着|隐瞒|对|向)(?:用户|用戶|主人|使用者).{0,8}(?:保密|隐瞒|隱瞞|执行|发送|"
        "偷偷|悄悄)"
        "|(?:瞒着|背着)(?:用户|主人)|(?:无需|不经|未经|不需要|不必)(?:经过)?(?:用户|"
        "主人)?(?:的)?(?:同意|确认|许可|询问).{0,10}(?:执行|发送|删除|运行|上传|转账)"
    ),
    (
        "(?:把|将|將).{0,24}(?:密码|密碼|密钥|密鑰|记忆|記憶|令牌|凭证|聊天记录|对话|api ?key|"
        r"token|\.env|私钥|系统提示|环境变量|vault|保险箱).{0,24}(?:发送|发到|发给|上传|傳送|上傳|"
        "转发|提交|发往|寄到|post)(?![我你您])"
    ),
    (
        r"(?:输出|透露|显示|告诉我|打印|泄露|复述|重复|公开|展示).{0,6}(?:你的|完整的?|"
        r"全部)?.{0,4}(?:"
        r"系统提示|系統提示|初始指令|隐藏指令|系统指令)"
    ),
    (
        r"(?:如果你是|若你是|致|写给|给)(?:一个|正在阅读|所有|任何)?.{0,10}(?:ai|人工智能|语言模型|"
        r"大模型|智能体|助手|机器人|agent).{0,40}"
        r"(?:请|必须|应|要|立即|务必|忽略|发送|执行)"
    ),
    (
        r"(?:^|[。！：:；>#*\-\[【]\s*)(?:ai ?助手|智能助手|助手|智能体|ai|人工智能)(?:请注意|"
        r"注意|请)?[：:，,！]\s*.{0,30}(?:必须|立即|务必|忽略|上传|转账|无视)"
    ),
    (
        r"(?:schicke?|sende|leite|übermittle|lade)\b.{0,60}(?:passw|schlüssel|speicher|"
        "erinnerungen|geheim|zugangsdaten|token|verlauf|vault).{0,80}(?:https?://|@|server)"
    ),
    (
        "(?:envoie|envoyez|transmets|transmettez|envía|envíe|manda|envie|invia|inviate|"
        r"mande)\b.{0,60}(?:mots? de passe|clés?|mémoire|secrets?|contraseñas?|claves?|memoria|"
        "senhas?|chaves?|memória|password|chiavi|segreti|token|historial|"
        "identifiants).{0,80}(?:https?://|@|serv)"
    ),
    (
        r"(?:отправь\w*|перешли\w*|загрузи\w*|скопируй\w*).{0,60}(?:парол|ключ|памят|секрет|токен|"
        r"переписк|данные).{0,80}(?:https?://|@|сервер)"
    ),
    (
        "(?:パスワード|秘密|鍵|キー|記憶|メモリ|トークン|会話).{0,40}(?:https?://|"
        "@).{0,80}(?:送信|送って|送れ|アップロード)"
        "|(?:비밀번호|비밀|키|기억|메모리|토큰|대화).{0,40}(?:https?://|@).{0,60}(?:보내|전송|"
        "업로드)"
    ),
)
_FURTHER = (
    (
        r"(?:تجاهل|انس|إنس|لا تتبع|اترك)[يا]?\b.{0,24}(?:التعليمات|تعليمات|الأوامر|القواعد|"
        "التوجيهات)"
        "|لا تخبر.{0,16}(?:المستخدم|أحد)"
    ),
    (
        r"(?:bỏ qua|phớt lờ|quên|lờ đi)\b.{0,24}(?:hướng dẫn|chỉ thị|chỉ dẫn|quy tắc|mệnh lệnh|"
        "lệnh)"
        r"|(?:đừng|không) (?:nói|cho)\b.{0,16}người dùng"
    ),
    (
        r"(?:निर्देश|आदेश|नियम)\S*.{0,24}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)|"
        r"(?:अनदेखा|भूल).{0,16}(?:निर्देश|आदेश|नियम)|उपयोगकर्ता को.{0,12}(?:मत|न) बता"
    ),
    (
        r"(?:ignorera|glöm|bortse från)\b.{0,24}(?:tidigare|alla|ovanstående|dina)\w*\s.{0,16}(?:"
        r"instruktion|regl|anvisning|order)|(?:säg|berätta) (?:inte|inget)\b.{0,20}användar"
    ),
    (
        r"(?:ignorer|glem|se bort fra)\b.{0,24}(?:tidligere|alle|ovenstående|dine)\b.{0,16}(?:"
        r"instruks|regl|anvisning|ordre)|(?:fortæl|si|sig)\w* (?:ikke|intet)\b.{0,20}bruger"
    ),
    (
        r"(?:sivuuta|unohda|jätä huomiotta|ohita)\b.{0,24}(?:aiem|kaikki|edellis|ylläol)\w*.{0,16}"
        r"(?:"
        r"ohje|sääntö|säännöt|määräy)|älä kerro.{0,20}käyttäj"
    ),
    (
        r"(?:ignoruj|zapomeň|nevšímej si|pomiň)\w*\b.{0,24}(?:předchoz|všech|dřívější|svá|své)\w*."
        r"{0,20}(?:"
        r"pokyn|instrukc|pravid|příkaz)|(?:neříkej|nesděluj)\b.{0,16}uživatel"
    ),
    (
        r"(?:hagyd figyelmen kívül|felejtsd el)\b.{0,24}(?:korábbi|előző|összes|minden).{0,16}(?:"
        r"utasítás|szabály)|ne (?:mondd el|szólj)\b.{0,16}felhasználó"
    ),
    (
        r"(?:ignoră|ignora[țt]i|uită)\b.{0,24}(?:instrucțiun|instructiun|reguli|ordine)|"
        r"nu (?:spune|îi spune)\b.{0,16}utilizator"
    ),
    (
        r"(?:ігноруй|забудь|не зважай на)\S*.{0,24}(?:інструкці|вказівк|правил|наказ)|"
        r"не (?:кажи|повідомляй)\b.{0,16}користувач"
    ),
    (
        r"(?:התעלם|התעלמי|שכח|שכחי)\S*.{0,24}(?:הוראות|ההוראות|הכללים|כללים)|"
        r"אל ת(?:ספר|גיד|אמר)\S*.{0,12}למשתמש"
    ),
    (
        r"(?:αγνόησε|αγνοήστε|ξέχασε|ξεχάστε)\b.{0,24}(?:οδηγίες|κανόνες|εντολές)|"
        r"μην (?:πεις|το πεις)\b.{0,16}χρήστη"
    ),
    (
        "(?:记忆|記憶|密码|密碼|资料|資料|数据|文件).{0,12}(?:导出|導出|传|傳|发|發|"
        "寄)(?:送)?(?:到|给|給).{0,8}(?:网址|網址|链接|地址|http)"
    ),
    (
        r"(?:dimentica|olvida|oublie|vergiss|esqueça|zapomnij o)\b.{0,12}(?:regole|reglas|règles|"
        r"regeln|regras|zasadach)\b.{0,20}(?:\be\b|\by\b|\bet\b|\bund\b|\bi\b)"
    ),
    r"(?:ละเว้น|เพิกเฉย|ลืม|ไม่ต้องสนใจ).{0,24}(?:คำสั่ง|กฎ|คำแนะนำ)|อย่าบอกผู้ใช้",
    (
        r"(?:نادیده بگیر|فراموش کن).{0,24}(?:دستور|قوانین)|(?:دستورالعمل|دستور|"
        r"قوانین).{0,30}(?:نادیده"
        r"|فراموش)"
    ),
    (
        "(?:forget|ignor|vergiss|oubli|olvida|dimentica|esque|забудь|забудьте|zapomnij|vergeet|"
        r"unut|忘了|忘掉)\w*\b.{0,10}(?:deine|tes|vos|tus|le tue|suas|свои|o swoich|o zasadach|je|"
        r"jouw|kurallar)\b.{0,6}\s?(?:regeln|règles|consignes|reglas|regole|regras|правила|"
        r"zasad\w*|regels|instructies)"
    ),
)
ORDERS = re.compile("|".join(f"(?:{one})" for one in (*_ELSEWHERE, *_FURTHER)))
"""What any of these says."""
