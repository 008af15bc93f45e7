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
    "copia |上传|上傳|verzend|lösche|führe|schicke|sende |überweise|ersetze|verwijder|"
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
FREED = split_words(
    "restriction|filtr|límite|limit|einschränk|管理员|管理員|限制|ogranicz|огранич|regeln|"
    "règle|"
    "regla|regole|regra|ce document|este documento|questo documento|diesem dokument|kural|"
    "ton opérateur"
)
