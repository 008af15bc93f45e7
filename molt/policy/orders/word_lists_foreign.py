"""Lists of words in languages other than English, which `word_lists` puts together into orders."""

from __future__ import annotations

from molt.policy.orders.word_sets import split_words

UNASKED = split_words(
    "ohne nachzufrag|ohne den benutzer|ohne den nutzer|ohne zu frag|ohne rückfrage|ohne es dem|"
    "verschweig|zonder toestemming|zonder te vragen|zonder het|sans le prévenir|sans prévenir|"
    "sans demander|sans le dire|sin preguntar|sin avisar|sin decir|di al usuario que|"
    "senza chiedere|"
    "senza avvis|senza dir|sem perguntar|sem avisar|não avise|nie informuj|nie mów|bez pytania|"
    "bez wiedzy|не спрашивая|никому не|ничего не говори|не говоря|söyleme|sormadan|知らせず|"
    "言わない|"
    "黙って|말하지 마|말하지 말|묻지 말|몰래|悄悄|偷偷|瞒着|瞞著|不要告诉|不要告訴|别告诉|"
    "utan att fråga|"
    "sin que el usuario|senza che l'utente|sans que l'utilisateur|sem que o usuário|"
    "ohne dass der nutzer|"
    "n'informe pas l'utilisateur|不知情|haber vermeden|haberi olmadan|без ведома|"
    "wiedzy użytkownika|"
    "utan att berätta|uden at spørge|uten å spørre|kysymättä|kertomatta|bez ptaní|neříkej"
)
BIDS = split_words(
    "transfère|transmets|transfiere|inoltra|encaminhe|leite |copia |上传|上傳|verzend|"
    "lösche|führe|schicke|sende |überweise|ersetze|verwijder|"
    "stuur |supprime|exécute|envoie|"
    "remplace|"
    "borra|ejecuta|envía|elimina|cancella|esegui|invia|apague|execute|envie|usuń|wykonaj|wyślij|"
    "удали|"
    "выполни|отправь|передай|silin|sil |çalıştır|gönder|削除し|実行し|送信し|送って|入れて|"
    "삭제해|실행해|"
    "보내|넣고|넣어|删除|刪除|执行|執行|传到|傳到|发送|發送|转账|导出|ta bort|skicka|radera|"
    "slet |poista|"
    "lähetä|smaž|pošli|kurallara uyma|o zasadach"
)
OWN_RULES = split_words(
    "deine sicherheitsregeln|deine regeln|deine anweisungen|tes consignes|tes règles|"
    "tes instructions|"
    "todo lo anterior|tus reglas|tus instrucciones|regole di sicurezza|le tue regole|"
    "le tue istruzioni|"
    "suas instruções|suas regras|安全限制|安全规则|安全規則|你的限制|你的规则|ルールを|指示を|"
    "규칙을|지시를|"
    "все инструкции|свои правила|правила безопасности|je veiligheidsregels|je regels|"
    "je instructies|"
    "swoje zasady|zasady bezpieczeństwa|güvenlik kural|dina regler|säkerhetsregler"
)
DROPS = split_words(
    "ignor|vergiss|oublie|olvida|dimentica|esqueça|无视|無視|忽略|무시|забудь|negeer|vergeet|"
    "yok say|glöm|umgeh|contourne|desconsidere"
)
THEN = split_words(
    "zeig|gib|schick|donne|montre|envoie|envía|muestra|dame|mostra|dammi|invia|revele|mostre|"
    "envie|输出|"
    "显示|执行|发|表示|送|出力|실행|보여|보내|покажи|отправь|выведи|stuur|toon|pokaż|wyślij|"
    "göster|gönder|"
    "visa|skicka|führe|exécute|ejecuta|esegui|wykonaj"
)
AS = split_words(
    "agis désormais|agis comme|comporte-toi|comportati come|agisci come|actúa como|compórtate|"
    "aja como|"
    "verhalte dich|handle als|zachowuj się jak|веди себя как|现在你是|現在你是|你现在是|你現在是|"
    "şimdi sen|"
    "tu dois obéir|debes obedecer|devi obbedire|du musst gehorch|deve obedecer"
)
HENCE = split_words(
    "ab heute|von nun an|ab jetzt|ab sofort|künftig|fortan|à partir de maintenant|désormais|"
    "dorénavant|dès maintenant|de ahora en adelante|a partir de ahora|desde ahora|d'ora in poi|"
    "da ora in poi|de agora em diante|a partir de agora|今後|これから|今から|отныне|"
    "с этого момента|впредь|od teraz|vanaf nu|앞으로|이제부터|bundan sonra"
)
YOU = split_words(
    " du | dir | dich | dein| tu | toi | ti | tú | te | tus | tes |あなた|ユーザーの指示|ты|теб|"
    "twoj| je | jij |너|당신| sen | sana | você|responde |réponds|rispondi|odpowiad"
)
BOUND = split_words(
    "verpflichtet|gehorch|jede frage|jeder frage|chaque question|toute question|"
    "cada pregunta|ogni domanda|cada pergunta|каждый вопрос|każde pytanie|elke vraag|優先|"
    "どの質問|すべての質問|모든 질문|memory.md|user.md|soul.md|vault|zählt nicht|obéi|obedec|"
    "obbed|подчин|słucha|服従|従って|だけに従"
)
NEXT_WRITE = split_words(
    "das nächste mal|wenn du das nächste|beim nächsten|sobald du|la próxima|cuando escribas|"
    "cuando guardes|la prochaine|prochaine fois|quand tu écri|quand tu enregistr|次に記憶|"
    "記憶を書く|次回|la prossima|quando scrivi|próxima vez|下次写|下次记|写记忆时|写入记忆时|"
    "в следующий раз"
)
MEMORY = split_words("gedächtnis|erinnerung|memoria|mémoire|記憶|メモリ|记忆|память|memória|pamięc")
ADDS = split_words(
    "füg|ergänz|schreib|añade|agrega|anota|ajoute|inscris|追加|書き込|書いて|aggiungi|adicione|"
    "добавь|加上|添加|写上|dopisz"
)
OWNER_ASKS = split_words(
    "wenn der nutzer|wenn der benutzer|fragt der nutzer|si l'utilisateur|quand l'utilisateur|"
    "lorsque l'utilisateur|si el usuario|cuando el usuario|se l'utente|quando l'utente|"
    "se o usuário|quando o usuário|если пользователь|когда пользователь|ユーザーが|如果用户|"
    "当用户|사용자가"
)
ACCOUNT = split_words("iban|kontonummer|numéro de compte|número de cuenta|口座|账号|账户|계좌")
GIVES = split_words(
    "nenne |gib |donne|indique|da este|dale|dile|indica |fornisci|dagli|dê |forneça|назови|дай |"
    "教え|伝え|给出|提供|告诉|알려"
)
FORGETS = split_words("olvida |oublie |vergiss|dimentica|esqueça|забудь|zapomnij|忘了|忘掉|忘记")
WERE_TOLD = split_words(
    "te han dicho|te dije|t'a dit|t'ont dit|t'avait dit|dir gesagt|man dir sagte|"
    "ti hanno detto|ti è stato detto|te disseram|тебе сказал|тебе говорил|ci powiedzi|"
    "别人告诉你|之前告诉你"
)
FREED = split_words(
    "restriction|filtr|límite|limit|einschränk|管理员|管理員|限制|ogranicz|огранич|regeln|"
    "règle|"
    "regla|regole|regra|ce document|este documento|questo documento|diesem dokument|kural|"
    "ton opérateur"
)
AGENTS = split_words(
    "der assistent|die ki |die assistenz|ki-assistent|ki-agent|der agent|das modell|"
    "der bot|l'assistant|l’assistant|le modèle|l'agent |"
    "el asistente|el agente|el modelo|el bot|o assistente|a ia |o agente|o modelo|"
    "l'assistente|l'ia |l'agente|il modello|ассистент|ии-|агент|модель|asystent|agent ma|"
    "de assistent|アシスタントは|エージェントは|aiは|어시스턴트는|에이전트는"
)
MUST = split_words(
    " hat | muss | müssen | soll | sollen | sind | ist verpflichtet| ist an | doit | doivent "
    "| devra |"
    " est tenu| debe | deben | "
    "deberá | tiene que | ha de | está obligad| deve | devono | devem | deverá | tem de | "
    "tem que | è tenut|должен|"
    "должны|должна|обязан|"
    " musi | muszą | powinien | moet | moeten | dient |なければならない|べき|해야"
)
SENDS = split_words(
    "weiterleit|weiterzuleit|schick|send|übermittel|übertrag|kopie|transmet|envoy|transfér|copie|"
    "reenvi|envia|remit|copia|encaminh|remet|inoltr|invia|trasmett|перес|отправ|направ|копи|"
    "przes|wysł|wysył|doorstu|stuur|送信|転送|送ら|보내|전달"
)
ALL = split_words(
    "alle |jede|sämtliche|chaque|tous les|toutes les|todos los|todas las|cada |toda |todo |"
    "todos os|"
    "todas as|tutti |tutte |ogni |все |всю |каждо|каждую|wszystk|każd|elke|すべて|全て|모든"
)
SKIPS = split_words(
    "bestätigung zu überspring|bestätigung überspring|rückfrage überspring|ohne rückfrage|"
    "sans confirmation|ignorer les confirmations|omitir la confirmación|omitir las confirm|"
    "saltarse|sin confirm|sin preguntar|pular a confirm|pular as confirm|ignorar as confirm|"
    "saltare la conferma|saltare le conf|senza conferma|пропускать подтвержд|без подтвержд|"
    "pomijać potwierdz|bez potwierdz|確認を省|確認なし|확인 없이"
)
MAILS = split_words(
    "mails|nachricht|notiz|note |nota |notas |passw|courriel|messages|mots de passe|correo|"
    "mensajes|contraseñ|"
    "mensagens|senhas|messaggi|письм|сообщен|парол|wiadomo|hasł|berichten|wachtwo|メール|"
    "メッセージ|パスワード|메일|메시지|비밀번호"
)
RULED = split_words("agents.md|soul.md|claude.md|gemini.md")
THIS = split_words(
    "diese seite|dieser seite|diese notiz|dieser notiz|cette page|cette note|ce texte|esta página|"
    "esta nota|este texto|questa pagina|эта страниц|этой страниц|этой замет|"
    "ta strona|tej stron|tej notat|deze pagina|deze notitie|此页|本页|这一页|这份"
)
SKIP = split_words(
    "überspring|umgeh|deaktivier|abschalten|désactiv|saute |contourne|omite |desactiva|salta |"
    "disattiva|pule |desative|пропусти|отключи|pomiń|wyłącz|sla alle|スキップ|無効に|건너뛰|비활성"
)
CHECKS = split_words(
    "prüfung|bestätigung|freigabe|hook|vérification|confirmation|contrôle|comprobaci|confirmaci|"
    "verific|conferma|controlli|проверк|подтвержд|sprawdz|potwierdz|controles|bevestig|"
    "確認|検査|확인|검사"
)
ALLOWED = split_words(
    "darf alles|puede verlo todo|puede ver todo|peut tout voir|peut tout lire|può vedere tutto|"
    "pode ver tudo|может видеть вс|może widzieć wszystko|mag alles zien|すべて見て|모두 볼 수"
)
