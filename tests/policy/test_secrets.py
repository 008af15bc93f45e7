"""What gives something away is found and taken out, what is harmless is left, all in bounds.

No line here holds a secret as it stands: `sample` makes them up, so that no scanner trips.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from urllib.parse import quote

import pytest

from molt.policy import glance, secrets
from molt.policy.secrets.familiar import Familiar
from molt.policy.secrets.form import SecretForm, sample
from molt.policy.secrets.formats import FORMS, MARKED, SHAPED

PASSWORD = "Xk29!mm{an:4}"

_UUID = "{hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}"
TOLD = [
    *('wifi pass "order 12 is paid"', '  pass "{P}"', "ada@w.example; tulip#{d:2},Red!x"),
    *(
        "user/password for localhost: {d:3}417",
        "Ada token " + _UUID,
        "password VM: ts8.w-example1:10661 x",
    ),
    # Behind a name alone a word with digits is one where the clause ends.
    *(
        "pw tulip{d:3}",
        "nmcli dev wifi connect attic password {low:8}47",
        "用户名 ada，密码 tulip{d:4}",
    ),
    *("usuario ada contraseña tulip{d:2}Red", "login ada@example.org, pass tiger.Lily{d:1}"),
    *(
        "支付宝登录密码改成了 tulip{d:3}X",
        "identifiant ada, mdp tulip{d:2}Red",
        "--password tulip{d:1}x",
    ),
    *("wifi key: tulip-{d:2}", "the wifi key is tulip{d:3}", "WLAN-Schlüssel: {d:20}"),
    *("clé wifi : {hex:16}", "CREATE ROLE app LOGIN PASSWORD 'tz{d:1}Wm{d:1}kQ';"),
    *("<password>tulip{d:2}</password>", "2FA seed: abc2 {b32:4} def3 {b32:4} {b32:4}".lower()),
    *("mysql -u root -ptulips shop < a.sql", "mysqldump -uroot -ptulipsred shop | gzip"),
    *("redis-cli -h cache -a {low:9} ping", "ldapsearch -D cn=admin -w tulip{d:1}red -b dc=acme"),
    *("unzip -P tulipred a.zip", "WIFI:T:WPA;S:attic;P:tulip-red;;"),
    *(
        "backup codes: 7639 1277 2038 3028 3413 3210",
        "Set-Cookie: connect.sid=s%3A{an:20}_{an:9}.{an:43}; Path=/",
    ),
    # What a program or a command is given, by a call, a field, a place or a pipe.
    *('props.setProperty("db.password", "{P}");', "define( 'DB_PASSWORD', '{P}' );"),
    *("SET PASSWORD FOR 'ada' = PASSWORD('{P}');", 'variable "db_password" {{ default = "{P}" }}'),
    *('<add key="password" value="{P}"/>', '<entry key="db.password">{P}</entry>'),
    *("CREATE USER 'ada'@'%' IDENTIFIED BY 'tz{d:1}Wm{d:1}kQ';", "WITH PASSWORD = N'{P}';"),
    *("ALTER USER ada IDENTIFIED WITH mysql_native_password BY '{P}'", 'password = b"{P}"'),
    *("  password               = 'tulip{d:2}'", "db.example.org:5432:shop:ada:tulip{d:3}"),
    *('{{"kty":"EC","d":"{w:43}"}}', "https://cal.example/private-{hex:32}/basic.ics"),
    *("echo 'ada:tulip{d:2}' | sudo chpasswd", "echo tulip{d:2} | passwd --stdin ada"),
    *("printf 'tulip{d:2}\\ntulip{d:2}\\n' | smbpasswd -a -s ada", "chpasswd <<< 'ada:tulip{d:2}'"),
    *("echo tulip{d:2}x | sudo -S apt update", "wpa_passphrase attic tulip{d:2}red"),
    *("htpasswd -bc /etc/a.htpasswd ada tulip{d:2}red", "smbclient //nas/a -U ada%tulip{d:2}"),
    *(r"net use Z: \\nas\a /user:ada tulip{d:2}red", "openssl rsa -in a.pem -passin pass:tulips"),
    *("snmpwalk -u ada -A tulip{d:2}red",),
    "openssl enc -aes-256-cbc -k tulip{d:2}red",
    *("az storage list --account-name tilecache --account-key {b:86}==", "rootpw tulip{d:2}Red"),
    *('key "a" {{ algorithm hmac-sha256; secret "{b:43}="; }};', "2FA secret abc2 def3 ghi4 jkl5"),
    *("sqlplus system/tulip{d:2}@orcl", "jdbc:oracle:thin:scott/tulip{d:2}@//db:1521/orcl"),
    *('ConvertTo-SecureString "tulip{d:2}" -AsPlainText -Force', "keytool -storepass tulips -list"),
    # What is said of a password, before or behind it, in a clause that ends.
    *("the password's still tulip-{d:2}", "the password remains tulip{d:3}", "密码还是 tulip{d:3}"),
    *("I changed my password to tulip{d:3} yesterday", "password (new, May): tulip-{d:2}"),
    *("the admin password (tulip{d:3}) has to be changed", "passphrase 'red tulip barn cup {d:1}'"),
    *('we use "tulip{d:2}" as the password for the shop', "use admin and tulip{d:3} as password"),
    *("Das Kennwort heißt tulip{d:3}", "Passwort für den Drucker war früher tulip{d:3}"),
    *("La contraseña nueva del router es tulip{d:3}", "le mot de passe reste tulip{d:3}"),
    *("pon la contraseña tulip{d:3} en el router", "la pass del wifi: tulip{d:3}"),
    *("пароль от роутера теперь tulip{d:3}", "o código/senha do roteador continua tulip{d:3}"),
    *("把密码设置为 tulip{d:3}", "初始密码tulip#{d:2}", "服务器登录：root / tulip@{d:2}"),
    *("数据库密码是tulip@{d:2}，账号root", "微信支付密码 730519", "pass for the VPN -> tulip{d:3}"),
    *("user ada, pass Kum{d:1}hsqK", "Benutzer ada, Kennwort tulip{d:2}"),
    *("password: {P}", "the password is {P}", "password is now {P}", "password = '{P}'"),
    *('{{"password": "{P}"}}', "- **Password**: {P}", "| password | {P} |", "password `{P}`"),
    *("the password for the lab router is {P}", "password changed to {P}", "DB_PASSWORD={P}"),
    *("pwd: {P}", "wifi pw: {P}", "wifi pw {P}", "login/pass: admin / {P}", "pass: {P}"),
    *("login: ada pass: {P}", "login ada, pass {P}", "credentials: ada/{P}", "PSK={P}"),
    *("Das Passwort lautet {P}", "Kennwort: {P}", "das Passwort ist {P}", "wachtwoord: {P}"),
    *("le mot de passe est {P}", "mdp : {P}", "la contraseña es {P}", "la clave es {P}"),
    *("senha: {P}", "la password è {P}", "пароль: {P}", "пароль — {P}", "пароль это {P}"),
    *("密码是{P}", "密码：{P}", "密碼: {P}", "口令：{P}", "パスワードは{P}です", "비밀번호: {P}"),
    *("password: sunflower{d:4}", "password = P@ssword!", "passphrase '{P}'"),
    'passphrase: "correct horse battery staple"',
    *("machine api.example.org login ada password {low:8}", "  password {P}"),
    *(
        "export TOKEN={an:32}",
        "token {hex:56}",
        "the token {an:32} works",
        "tushare token: {hex:56}",
    ),
    *("api key: {hex:20}", "api_key={an:32}", "X-Api-Key: {an:32}", "my OpenAI key is {an:32}"),
    *("client_secret={an:32}", "webhook secret: {hex:40}", "2FA secret: {b32:32}", "key: {an:40}"),
    *("HEROKU_API_KEY={hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}", "PRIVATE_KEY={hex:64}"),
    *("AWS_SECRET_ACCESS_KEY={b:40}", "密钥：{an:32}", "令牌是 {hex:40}", "токен: {an:32}"),
    *("API-Schlüssel: {an:32}", "clé API : {an:32}", "clave api: {an:32}", "APIキー: {an:32}"),
    *("the one of AWS: {b:40}", "{an:40}"),
    *("the PIN of the card is {d:4}", "card PIN: {d:4}", "the pin code is {d:4}", "PIN码：{d:6}"),
    *(
        "recovery codes: {d:4}-{d:4} 7{d:3}-{d:4}",
        "backup codes: {low:5}-{low:5}, {d:2}{low:3}-{low:5}",
    ),
    *("GitHub recovery codes: {hex:5}-{hex:5}", "Wiederherstellungscodes: {d:8} {d:8}"),
    *("备份码: {d:8} {d:8}", "резервные коды: {d:4}-{d:4}", "codes de secours : {d:8}"),
    *(
        "Authorization: Bearer {an:24}",
        "Authorization: Basic YWRhOlhrMjkhbW1RMA==",
        "Bearer {an:40}",
    ),
    *("curl -u ada:{P} https://example.org", "curl --user 'ada:{P}' https://example.org"),
    *(
        "mysql -u root -p{low:8}1 shop",
        "sshpass -p '{P}' ssh root@lab",
        "mysqldump -uroot -pS3cret1 x",
    ),
    *("postgres://ada:{low:8}@db.example.org/x", "redis://:{low:16}@cache.example.org:6379/0"),
    *("https://oauth2:{an:20}@git.example.org/x", "https://h/c?sv=1&sig={an:40}%3D"),
    *("eth private key: 0x{hex:64}", "0x{hex:64} is the wallet key"),
    *(
        "Die PIN der Girokarte ist {d:4}",
        "暗証番号は{d:4}です",
        "mijn pincode is {d:4}",
        "PUK: {d:8}",
    ),
    *("路由器的密码是{d:6}。", "password: {d:6}", "пароль: {d:6}", "PIN-koden till kortet är 4470"),
    *("Het wachtwoord van de NAS is {P}", "Passordet til ruteren er {P}", "A senha do banco é {P}"),
    *("Heslo k databázi je {P}", "Modem şifresi: {P}", "mật khẩu wifi là {P}", "הסיסמה היא {P}"),
    *("hasło do poczty to {P}", "Salasana on {P}", "كلمة السر هي {P}", "her password, it's {P}"),
    *("snyk token " + _UUID, "SNYK_TOKEN=" + _UUID, "X-Postmark-Server-Token: " + _UUID),
    *("Datadog app key: {hex:40}", "ALGOLIA_ADMIN_KEY={hex:32}", "wandb login {hex:40}"),
    *("duckdns token " + _UUID, "AZURE_DEVOPS_PAT={low:52}", "x-honeycomb-team: {an:22}"),
    *(
        "Authorization: Splunk " + _UUID,
        "Cookie: session={an:64}; Path=/",
        "cookie session={an:64} is an admin",
        "VNC pass for ada: {P}",
    ),
    '{{"auths":{{"ghcr.io":{{"auth":"YWRhOmpaUjRyQ2wzM0VvQnJXZHBFc3V3"}}}}}}',
    *("wifi password: XykWZeiNNC", "账号 admin 密码 mYqavI5SpbcZ", "TOTP seed: {b32:32}"),
    *("2FA secret for GitHub: UOEQ FOE6 2GZ3 EQBY ALGU", "setup key: mqoi mznz tcwo bq24 dpcl"),
    "kraken private key SgzN8vPcCjrrqEA9fTyQZnel/MfrcYiIWQfzshnBKxonFXyRG2QnUP5K16+ZqDYq",
    *("gmail app password: qtrh ndeg dhxg zufk", "SMTP_PASS=wdxssfzrdvvrmhtk"),
    "app-specific password for the phone: qtrh-ndeg-dhxg-zufk",
    # By its place in a call of a program, or beside an address or who logs in with it.
    *('smtp.PlainAuth("", "ada@example.org", "qXMiotMMoCHxYZ", "mx")', 'm.login("ada", "{P}")'),
    *('mysqli_connect("localhost", "shop", "{P}", "shop")', "auth=('ada', 'zK8pQ2xLmW')"),
    *("new PDO('mysql:host=db', 'app', 'Rk2pQx9LmT');", 'getConnection(url, "app", "zK8pQ2xLmW")'),
    *("| ci | https://ci.example.org | deploy | wXvFDb8Q%2 |", "ada;https://ci.example;Kq82px#Lz"),
    *("shop: ada@example.org / Kq82pxLz!", "shop ada@example.org Kq82pxLz!x", "Zugang: Kq82pxLz!"),
    *("creds for staging → deploy:Kq82pxLz!", "Logindaten Shop: ada77 / Tulpe-77-Nacht"),
    *("inloggen bij de bank met Klomp-Tulp-77!x", "shop:tulip{d:2}red@tcp(db.example:3306)/shop"),
    # Behind the words of a clause in any language, if people choose passwords so.
    *("Passordet er Tulip-77-vann", "Salasana on Tulip-77-metsa", "Wifi şifresi Lale-77-orman"),
    *("Пароль до роутера Kit-77-lis", "hasłem do poczty jest Tulip-42-las", "비번: tulip77sup"),
    *("le mot de passe wifi c'est Tulipe77Bleue", "I told Jo the password, it's Kq82pxLz!"),
    *("Lozinka za wifi je Tulip-77-suma", "पासवर्ड Tulip-77-jangal है", "パスは tulip77Mori です"),
    *('the passphrase for the backup is "red tulip barn cup"', "WLAN-Schlüssel {d:20}"),
    # What machines and programs are given.
    *("snmp-server community Xr9kLm2Qp RW", "crypto isakmp key Zk81nQp2vT address 203.0.113.4"),
    *("requirepass zK8pQ2xLmWvT", "enable secret 9pLk2!xQz", "the pre-shared key is vT8-kq2L-mmX9"),
    *("DefaultPassword REG_SZ zK8pQ2xLmW", "PRAGMA key = 'Kq82pxLzW9';", "db-password: {an:20}=="),
    *("echo tulip{d:2}red | cryptsetup open /dev/sda2 a", "echo tulip{d:2} | kinit ada@EXAMPLE"),
    *('echo "tulip{d:2}" | docker secret create db -', 'const TOKEN: &str = "{an:20}";'),
    *('app.secret_key = "{an:16}"', "SECRET_KEY = 'k#9x2!pq8z@lm5w^v7t&c1b*n4h%j6g$d3f'"),
    *("product key {up:5}-{up:5}-{up:5}-{up:5}-{up:5}", "AppKey {hex:32}", "localKey: {an:16}"),
    *("config/master.key: {hex:32}", 'encryption: key: "{b:43}="', "TOTP secret {b32:24}"),
    *("Ocp-Apim-Subscription-Key: {hex:32}", "the access token is {b58:43}", "unseal key: {b:43}="),
    *("the recovery key is RK-{up:4}-{up:4}-{up:4}-{up:4}", "wallet seed sEd{b58:28}"),
    # Addresses, cookies, and seeds of other lists.
    *("https://maker.example/trigger/door/with/key/{an:22}", "https://a.example/x?appid={hex:32}"),
    *("https://n8n.example/webhook/" + _UUID, "https://hc-ping.com/" + _UUID),
    *("https://api.day.app/{an:22}/", "PHPSESSID={low:26}", 'document.cookie = "auth={low:32}"'),
    (
        "monero seed: tissue raking haunted huts afraid volcano howls liar egotistic befit rounded "
        "older bluntly imbalance pivot exotic tuxedo amaze mostly lukewarm macro vocal hounded "
        "biplane rounded"
    ),
]
"""Lines with `{P}` for a password, and what `sample` fills in."""

NUMBERS = {
    "a card": "my card is 4556 7375 8689 9855",
    "a card, unspaced": "visa 4556737586899855 exp 12/27",
    "a card, hyphened": "5425-2334-3010-9903",
    "an American Express": "amex 3742 454554 00126",
    "an IBAN": "DE75512108001245126199",
    "a spaced IBAN": "IBAN FR76 3000 6000 0112 3456 7890 189",
    "a key in base 58": "5Kb8kLf9zgWQnogidDA76Mz" + "PL6TsZZY36hWXMssSzNydYXYB9KF",
    "a seed": "seed phrase: " + "legal winner thank year wave sausage " * 2,
    "a numbered seed": "mnemonic: " + " ".join(f"{n}. zoo" for n in range(1, 13)),
    "a Chinese seed": "助记词：" + " ".join(["crane"] * 24),
}

LOCKS = [
    *("The gate code is #4471*", "alarm code at the cabin 88213", "Safe combination: 34-12-77"),
    *("Türcode Büro: 7734#", "Der Code der Alarmanlage lautet 903417", "Portkoden är 5519"),
    *("Handy-Entsperrcode: 591473", "Tresor Zahlenkombination 18-44-07", "Deurcode kantoor 4460"),
    *("Le code du portail est le 7719B", "código de la puerta: 4417", "codice del cancello: 7730"),
    *("Kod do drzwi: 5523", "код от сейфа 60417", "ovikoodi 5531", "Kapı kodu 5519"),
    *("The code for the front door is 7715", "Garagentor hat den Code 2219"),
]

HARMLESS = [
    # What a script says that has passed, the port of a service, the number of a step.
    *('  pass "order 12 is paid"', '[ -n "$n" ] && pass "代付 returnAmount = 200"'),
    *("user/password for localhost:1025", "a@w.example; b.c@w.example,+49"),
    *("Dispatch token " + _UUID, "root:22 / password VM: ts8.w.example:10661 / root"),
    # Signs within that join, code or count.
    *("see Costs2!B3 and Costs2!$B$41", "if (Foo2 && Bar2&&Baz) go()", "My%20Report2 is done"),
    *("Styles$1 becomes Styles1", "a List&lt;H5Plugin&gt; of plugins", "PST+16hrs", "`300$WKxxx`"),
    # Initials and the sign that joins them.
    *(
        "the AT&T5x1Z is out of stock",
        "see Q&A2024x and S&P500Index",
        "| H&M2025sale | M&Ms4Life |",
    ),
    *("cache key node-linux-{hex:64} not found", 'print("token: " + "is there")'),
    *("| React | https://react.dev | React@18.2.0 |", "| ABC | https://a.example | Repo#123 |"),
    *('connect("localhost", "shop1", "shop2")', 'login("ada", os.environ["PASS"])', "auth(a, b)"),
    *("log in at ada@example.org or call", "the password for the Fritzbox7590 is on its label"),
    *("https://example.org/token/0x{hex:40}", "https://example.org/webhook/your-webhook-name"),
    *("https://example.org/keys/a-page-about-keys-and-locks", "https://a.example/?key=summer2026"),
    *("the app key concept", "unlock the door with Windows-11-Pro", "the license key is expired"),
    *("seed words: a b c d e f g h i j k l m n", "the seed catalogue lists the peas and beans"),
    *("const TOKEN: string = process.env.TOKEN;", "sessionid=<id>", "requirepass foobared"),
    *("the password policy of Claude-3-Opus", "community string: public", "Zugang nur mit Karte"),
    *(
        "the wifi key is on the fridge",
        "the wifi key is printed below the router",
        "mysql -u root -p",
    ),
    *(
        "the password Django4.2",
        "pw manager KeePass2",
        "the password authv2beta",
        "the password test_user_01",
    ),
    *(
        "docker run --name mysql -p3306:3306 -d mysql:8",
        "mysql shop | lpr -pattic",
        "mysql -pPASSWORD",
    ),
    *(
        "git push http://ada:<PASSWORD>@localhost:3333/x.git",
        "unzip -P $PASS a.zip",
        "--password --user",
    ),
    *("the backup codes were made in 2024 2025 2026 2027", "mysql --help | grep -prefix"),
    *("Cookie: consent=all; theme=dark", "WIFI:S:attic;T:nopass;;", "Passwort: siehe Ticket 48213"),
    *("the password is still the old one", "password_reset_token_expires_in = 3600"),
    *("props.getProperty('db.password');", 'props.setProperty("password.min.length", "12");'),
    *("define('DB_PASSWORD', getenv('DB_PASSWORD'));", '("password", "{hex:32}"),'),
    *("'password' => 'required|string|min:8'", '<label for="password">Password</label>'),
    *("ALTER USER ada IDENTIFIED BY '<password>';", "CREATE USER ada IDENTIFIED BY :password;"),
    *('echo "$USER:$PASS" | chpasswd', "chpasswd reads user:password pairs from stdin"),
    *("echo $PASS | sudo -S apt update", "htpasswd -c .htpasswd ada", "openssl passwd -6"),
    *("hostname:port:database:username:password", "localhost:5432:8080:9000:3000"),
    *("db.example.org:5432:shop:ada:*", '{{"kty":"EC","x":"{w:43}","y":"{w:43}"}}'),
    *("keytool -storepass:env PASS -list", "smbclient //nas/a -U ada%$PASS"),
    *("use LDAP as the password backend", "pass the model as `?m=claude-account-1`"),
    *(
        "a boarding pass to gate B42",
        "change the password to 12 characters",
    ),
    *("error code 50021 of the alarm", "The door code changes on 2027-03-14", "code postal 75011"),
    *("Der Türcode wird am 14.03.2027 geändert.", "The alarm code has 4711 uses", "exit code 1370"),
    *(
        "PIN to the map: 52.5200, 13.4050",
        "the door is 2100 mm, code ABC-123",
        "did:key:z6Mk{an:44}",
    ),
    *(
        '"keycode":0,"physical_keycode":4194319,"key_label":0',
        "密码: AES-256-GCM",
        "- Passwords: bcrypt-12",
        "Passwort: xchacha20-poly1305",
        "encryption password: ECDHE-RSA-AES256-GCM-SHA384",
        "The code of the garage door was written in 2024",
        "密码长度至少1024位",
        "PIN pad in room 4821",
    ),
    *("password: OpenAPIKey", "Passwords: argon2id", "PASSWORD=… ACCOUNT=1337.x@example.org"),
    *("密码 OAuth2 登录", "secret: this that with from them", "key: 2024 2025 2026 2027"),
    *("the private key of memory/vault/Old2+new/keys/for/the/lab/Machine12/x", "password: 90 days"),
    *("password 1200 people use", "request token: " + _UUID),
    *("thread_{an:24} run_{an:24}", "sentry event {hex:32}", "REQUEST_ID=" + _UUID),
    "result(**'pass': t1_pass, 'detail': t1_detail)",
    "login(user=u, password=db2_password)",
    "    credential: HTTPProxyCredentialsProvider = Depends(scheme),",
    "token: XMLHttpRequestAuthorization, retries=3",
    *("The wifi password is in 1Password under Home", "password: see memory/vault/wifi-2026.md"),
    *("password: <your-password-1>", "api_key = ${API_KEY_2026}", "api_key: YOUR_API_KEY_1234"),
    "token: sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    *("pin: 12345 Main Street", "our pin code is 10115 in Berlin", "the postal pin code is 560001"),
    *("GPIO pin: 1234", "pin: 13 is the LED", "pinned: 2026", "zip 10115, pin 1234"),
    *("ghp_{x:36}", "{{password:!0,range:!0}}", "e={{password:!0,range:!0,email:!0}}"),
    *("fromToken: '0xA0b8{hex:36}'", 'toToken: "0x{hex:40}",', "contract token: {an:44}"),
    *('"integrity": "sha512-{b:86}=="', "integrity sha1-{b:27}=", "h1:{b:43}=", "etag: {hex:32}"),
    *(
        "commit {hex:40}",
        "sha256: {hex:64}",
        "docker pull a@sha256:{hex:64}",
        "{hex:40}",
        "{up:40}",
    ),
    *("session {hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}", "tx hash 0x{hex:64}", "block {hex:64}"),
    *("token id: {hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}", "cache key: {hex:32}"),
    *("The token budget is 3,000 tokens", "token: episode:2026-02-02:14:30", "max_tokens: 4096"),
    *(
        "the token was revoked 2026-02-02T10:00:00Z",
        "total_tokens: 123456789012",
        "pad_token: [PAD]",
    ),
    *("token limit is 128k for gpt-4o-2024-08-06", "next page token: CAUQAA{an:20}"),
    *("password = db.Column(db.String(120))", "hashed_password = argon2.hash(password2)"),
    *("const token = process.env.GITHUB_TOKEN;", "secret: ${{{{ secrets.DEPLOY_KEY_2 }}}}"),
    *(
        "password: e.password,username:e.user1",
        "let token=t?1:e.b2",
        "foo(password=args.password1)",
    ),
    *("password: required|min:8", "password must have 8 characters", "password: ********"),
    *("password hash: $2b$12${an:50}", "the hash of the password is {hex:64}", "--pass:#22c55e;"),
    *(
        "pass ``axis=0`` explicitly",
        "| PASS | `MAX_ROWS=5000` |",
        "pass: 12 of 14",
        "password: JIRA-123",
    ),
    *("login: https://example.com/login1", "login page: /login2", "credentials: see AGENTS.md"),
    *(
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "we use Basic authentication",
    ),
    *("curl -u $USER:$PASS https://x", "curl -u user:password https://x", "mysql -u root -p"),
    *(
        "postgres://user:password@localhost/db",
        "amqp://guest:guest@localhost",
        "postgresql://shop2:shop2123@db:5432/shop",
        "http://${U:-a}:${Q}@h",
    ),
    *("https://ada@example.org:8080/x?token=short", "git@github.com:a/b.git", "/plot?sig=0.05"),
    *("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b:43} ada@laptop", "public key: {an:44}"),
    *("order 4556737586899855 shipped", "Stripe test card 4242 4242 4242 4242", "4556737586899856"),
    "a seed pitch of 12: cover, problem, solution, market, model, traction, team, ask, thanks",
    *("curl -u https://example.com/mcp x", "Password: input#password", "Password: div.login-1"),
    *("hash(string password, int spinCount = 100000)", "sign(pin), retries=1000"),
    *("ISBN 978-3-16-148410-0", "phone +49 30 1234 5678 9012", "epoch 1700000000000"),
    *("DE76512108001245126199", "wallet address 0x{hex:40}", "AC adapter SK1234 TASK-1234"),
    "seed phrase is a list of twelve or twenty four words that you must never share with anybody",
    *("recovery codes are printed, page 12 of folder 3", "seed: 1234567890", "recovery: 2025-2026"),
    "recovery code: SHOP2-BACKUP-2026-0001",
    *(
        "暗号資産一覧を確認するとBTCは69,182.99ドル",
        "暗号資産の総額は1008ドル前後",
        "パスワード代は1008円",
    ),
    *(
        "암호화폐: BTC70235.15는 높다",
        "암호화폐 총액은 1008",
        "密码货币价格是70235",
        "暗号化はTLS1.3-AES256です",
    ),
    *("abcdefghijklmnopqrstuvwxyz0123456789ABCD", "publicLinearGetFutureMarketV1PublicQDeal"),
    *("path/to/Some/File/With/Names2/And/More3x", "https://h.example/{an:40}/x", "{az:12}-{an:40}"),
    *(
        "csrf token expires in 3600s",
        "密码在保险箱里",
        "密码长度至少8位",
        "пароль хранится в сейфе",
    ),
    *(
        "das Passwort ist im Tresor",
        "le mot de passe est dans le coffre",
        "キー: 値",
        "令牌桶 1000 次",
    ),
    *("JWT_SECRET=9380{hex:9}...", "sk-learn, task-sk-12345", "model: claude-3-5-sonnet-20241022"),
]


OF_MANUALS = [
    "posthog_api_key: phc_{an:43}",
    *("Password: samba123", "# View-only password: readonly123", "password: Welcome1234!"),
    *("password: P@ssw0rd!", "password: Passw0rd123", "IBAN GB82WEST12345698765432"),
    # It is put together here, so that no scanner takes this table for a leak.
    "token: "
    + ".".join(
        ("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0", "{w:43}")
    ),
    "anon: eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJvbGUiOiJhbm9uIn0.{w:43}",
]
"""What manuals show, and services give to everybody: found, and a person may write it."""

OF_PEOPLE = [
    *("password: Sommer2024!", "password: hunter22", "password: kEynHa123", "password: samba1239"),
    *("password: blau#himmel7", "DE75512108001245126199", "password: k2sword123"),
    "anon: eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJvbGUiOiJzZXJ2aWNlIn0.{w:43}",
    "seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow able",
]


def filled(line: str) -> str:
    """A line of the tables above with what it leaves open."""
    line = line.replace("{{", "\0").replace("}}", "\1").replace("{P}", PASSWORD)
    return sample(line.replace("${", "$\0")).replace("\0", "{").replace("\1", "}")


def names(line: str) -> list[str]:
    return [kind for _, _, kind in secrets.find(line)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.name} {form.words}"[:40])
def test_a_token_is_found_under_its_name_and_what_is_like_it_is_not(form: SecretForm) -> None:
    assert form.name in names(f"- use {sample(form.example)}")
    assert names(f"- use {sample(form.harmless)}") == []


@pytest.mark.parametrize(
    "form",
    [one for one in FORMS if one.words != "-----BEGIN"],
    ids=lambda form: f"{form.name} {form.words}"[:40],
)
def test_a_token_is_found_in_a_line_of_json(form: SecretForm) -> None:
    assert names(f'{{"text": "see\\n{sample(form.example)}"}}')


@pytest.mark.parametrize("line", TOLD)
def test_what_its_words_tell_is_found(line: str) -> None:
    assert names(filled(line))


@pytest.mark.parametrize("line", TOLD)
def test_what_is_found_is_taken_out_whole(line: str) -> None:
    left = secrets.redact(f"before\n{filled(line)}\nafter")
    assert filled(PASSWORD) not in left
    assert not any(names(row) for row in left.split("\n"))


@pytest.mark.parametrize("line", LOCKS)
def test_the_code_of_a_lock_is_told_of_and_left(line: str) -> None:
    assert names(line) == ["code of a lock"]
    assert secrets.redact(line) == line


def test_recovery_codes_are_found_below_what_calls_them_so() -> None:
    codes = [sample("{hex:5}-9{hex:4}"), sample("7{hex:4}-{hex:5}")]
    text = f"GitHub recovery codes:\n- {codes[0]}\n{codes[1]}\n\n## Flights\n3f{codes[0]}\n"
    left = secrets.redact(text)
    assert left.count("[recovery code]") == 2
    assert f"3f{codes[0]}" in left


@pytest.mark.parametrize("line", NUMBERS.values(), ids=list(NUMBERS))
def test_what_proves_itself_is_found(line: str) -> None:
    assert names(line)


@pytest.mark.parametrize("line", OF_MANUALS)
def test_what_manuals_show_is_told_from_what_people_have(line: str) -> None:
    ((start, end, _),) = secrets.find(filled(line))
    assert secrets.is_of_manual(filled(line)[start:end])


@pytest.mark.parametrize("line", OF_PEOPLE)
def test_what_people_have_is_none_of_a_manual(line: str) -> None:
    ((start, end, _),) = secrets.find(filled(line))
    assert not secrets.is_of_manual(filled(line)[start:end])


@pytest.mark.parametrize("line", HARMLESS)
def test_what_is_harmless_is_left(line: str) -> None:
    assert names(filled(line)) == []
    assert secrets.redact(filled(line)) == filled(line)


@pytest.mark.parametrize("before", [0, 1, 3500, 3584, 4000, 4095, 4096, 7168, 50_000])
def test_a_long_line_hides_nothing_at_the_edge_of_a_window(before: int) -> None:
    token = sample("ghp_{an:36}")
    line = f"{'word ' * (before // 5)}{' ' * (before % 5)} {token} {'word ' * 2000}"
    (found,) = secrets.find(line)
    assert line[found[0] : found[1]] == token
    assert token not in secrets.redact(line)


def test_a_private_key_is_taken_out_with_its_lines() -> None:
    key = sample(
        "-----BEGIN RSA PRIVATE{_:1}KEY-----\nMII{b:40}\n-----END RSA PRIVATE{_:1}KEY-----"
    )
    assert secrets.redact(f"a\n{key}\nb") == "a\n[private key]\nb"
    unended = key.partition("-----END")[0]
    assert secrets.redact(f"a\n{unended}") == "a\n[private key]"
    assert names(key.split("\n")[0]) == ["private key"]


def test_a_public_key_is_left() -> None:
    key = sample("-----BEGIN PUBLIC KEY-----\nMII{b:40}\n-----END PUBLIC KEY-----\n")
    assert secrets.redact(key) == key


def test_what_lies_within_another_is_told_once_under_the_name_that_says_most() -> None:
    assert names(sample("GITHUB_TOKEN=ghp_{an:36}")) == ["GitHub token"]


def test_what_is_only_told_of_hides_no_secret() -> None:
    line = "the gate code is 4539 1488 0343 6467"
    assert names(line) == ["card number"]
    assert secrets.redact(line) == "the gate code is [card number]"


def test_a_line_with_letters_that_grow_when_lowered_is_read_in_place() -> None:
    line = f"İİİİ password: {filled(PASSWORD)}"
    ((start, end, _),) = secrets.find(line)
    assert line[start:end] == filled(PASSWORD)


def test_a_plain_text_costs_no_patterns() -> None:
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "from molt.policy import secrets\n"
        "assert not secrets.find('We chose PKCE for mobile; the token budget is unchanged.')\n"
        "sys.exit('re' in sys.modules)"
    )
    subprocess.run([sys.executable, "-I", "-c", code, *sys.path[1:]], check=True)


def test_each_word_that_tells_of_a_secret_holds_a_part_that_is_looked_for_first() -> None:
    first = glance.ASCII_WORDS
    told = {word for _, _, some in secrets._READERS for word in some}
    marks = {word for form in MARKED for word in form.words.split()} - {":"}

    assert "".join(first).isascii()
    assert not [word for word in told if not any(part in word for part in glance.WORDS)]
    assert not [word for word in told if word.isascii() and not any(map(word.count, first))]
    assert not [word for word in marks if not any(part in word for part in glance.MARKS)]


def test_each_shape_has_one_that_is_looked_for_first() -> None:
    common = [form.shape for form in MARKED if ":" in form.words.split()]
    for shape in (*SHAPED, *common, *(shape for _, _, shape in secrets._NUMBERS)):
        kind = glance.kind_of(shape)
        assert any(kind == one and part in shape.encode() for one, part in glance._SOUGHT), shape


def test_what_a_glance_says_tells_nothing_holds_nothing() -> None:
    texts = (*HARMLESS, *LOCKS, *OF_MANUALS, *OF_PEOPLE, *(form.harmless for form in FORMS))
    for text in (*LINES, *map(filled, texts)):
        assert glance.may_tell(text) or not secrets.suspects(text)
        assert glance.may_tell(text.upper()) or not secrets.suspects(text.upper())
    assert not glance.may_tell("We had tea outside; concept--thing is pinned: false")


def test_what_tells_of_a_secret_does_so_whatever_was_looked_at_before() -> None:
    """Each piece alone may be harmless, and is known as that once it was looked at alone."""
    told = sorted({word for _, _, some in secrets._READERS for word in some})
    samples = [sample(text) for form in FORMS for text in (form.example, form.harmless)]
    samples += [filled(text) for text in TOLD]
    samples += ["4012 8888 8888 1881", "4012-8888-8888-1881", "4012 8888\t8888 1881", "A\u3000B"]
    for text in (*told, *map(str.upper, told), *map(str.title, told), *samples):
        for line in (text, f"so — {text} it\nis {text}"):
            for piece in line.split():
                secrets.suspects(piece)
            searched = secrets._list_suspects(line, line, f"{line} ")
            for _ in ("first", "again"):
                found = secrets.suspects(line)
                assert found == searched or _sort_words(found) == _sort_words(searched)


def _sort_words(found: secrets.Suspects) -> list[tuple[object, ...]]:
    return [(kind, reader, sorted(told)) for kind, reader, told in found]


def test_only_a_text_without_news_is_known_as_harmless() -> None:
    known = Familiar(["sk-"], ["backup code", "密码"], [("A0A0", "A")])

    assert known.find_telling("the code of backups") == ["code"]
    assert known.find_telling("the backups of") == []
    assert sorted(known.find_telling("the code of task-list")) == ["code", "task-list"]
    assert known.find_telling("a sk-list of the") == ["sk-list"]
    assert known.find_telling("of X1Y2 the") == ["X1Y2"]
    assert sorted(known.find_telling("of X1y2 他的密码是 sk-list")) == ["sk-list", "他的密码是"]
    assert known.find_telling("of X1y2 the") == []
    many = [f"w{number}" for number in range(99)]
    assert known.find_telling(" ".join((*many, "sk-9"))) == ["sk-9"]
    assert known.find_telling(" ".join(many)) == []


def test_what_was_learned_of_many_texts_is_known_of_each() -> None:
    known, fresh = (Familiar(["sk-"], ["backup code"], [("A0A0", "A")]) for _ in range(2))
    texts = ["the code 他的", "a sk-list of\nthe X1Y2", "密码 sk-密", "of x1y2 the"]
    known.learn("\n".join(texts))
    for text in texts:
        assert sorted(known.find_telling(text)) == sorted(fresh.find_telling(text))
    assert known._harmless == fresh._harmless
    assert known._telling == fresh._telling == {"code", "sk-list", "X1Y2", "sk-密"}


def test_a_number_that_a_window_cuts_is_read_whole() -> None:
    """Once in the piece that holds it, and no part of it in the piece where it is cut."""
    token = sample("ghp_{an:36}")
    for before in (*range(3530, 3600), *range(4050, 4110)):
        number = "x" * (before - 1) + " 0.4012888888881881," + " y" * 3000
        assert secrets.find(number) == ()
        line = "-" * before + " " + token + " " + "-" * 6000
        assert [line[start:end] for start, end, _ in secrets.find(line)] == [token]


PROSE = "Ada führt ihr Boot am Abend über den See — und 他们在湖上航行。\n" * 600


def read(found: secrets.Suspects) -> list[tuple[str, object, set[str]]]:
    return [(kind, reader, set(words)) for kind, reader, words in found]


LINES = [*(sample(form.example) for form in FORMS), *map(filled, TOLD), *NUMBERS.values()]


@pytest.mark.parametrize("line", LINES)
def test_what_a_line_may_hold_is_seen_in_a_long_text(line: str) -> None:
    assert not secrets.suspects(PROSE)
    assert len(PROSE) > secrets.vocabulary.LONG
    for text in (PROSE + line, line + "\n" + PROSE):
        assert read(secrets.suspects(text)) == read(secrets.suspects(line))


@pytest.mark.parametrize("sign", ["a", "0", "-", "é"])
def test_a_row_of_one_character_hides_nothing_and_is_not_searched_whole(sign: str) -> None:
    assert len(secrets.vocabulary.condense(sign * 1_000_000)) < 10_000
    fewer, more = PROSE + sign * 5_000, PROSE + sign * 50_000
    for line in LINES[::20]:
        assert read(secrets.suspects(more + line + sign)) == read(
            secrets.suspects(fewer + line + sign)
        )
        assert read(secrets.suspects(line + more)) == read(secrets.suspects(line + fewer))


def test_letters_that_become_ascii_in_lower_case_hide_no_word_in_a_long_text() -> None:
    line = sample("to\u212aen: {an:32}")
    assert secrets.suspects(line)
    assert read(secrets.suspects(PROSE + line)) == read(secrets.suspects(line))


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("PUK 83920174 and PIN 4471", "PUK [PIN] and PIN [PIN]"),
        ("password is 83920174 and the PIN is 4471", "password is [PIN] and the PIN is [PIN]"),
    ],
)
def test_each_code_of_a_line_is_taken_out(line: str, kept: str) -> None:
    assert secrets.redact(line) == kept


@pytest.mark.parametrize(
    "line",
    [
        "door code at the new address is 4471",
        "Garage code is 7731, exit on the left",
        "the alarm code: 9921 (status: armed)",
    ],
)
def test_what_stands_elsewhere_in_a_line_hides_no_code(line: str) -> None:
    assert names(line) == ["code of a lock"]


def test_a_seed_may_be_capitalized() -> None:
    words = " ".join(["Abandon", *["ability"] * 10, "About"])
    assert names(f"Seed phrase: {words}") == ["seed of a wallet"]


BELOW = [
    *("password:\n  {P}", "The wifi password:\n\n{P}", "**Passwort:**\n`{P}`", "密码：\n{P}"),
    *("Password:\n```\n{P}\n```", "API key:\n- {an:40}"),
    "| wiki | user | password |\n|---|---|---|\n| x | ada | {P} |",
    "| service | API key |\n|---|---|\n| maps | `{an:32}` |",
    *("## Password\n\n{P}", "### WLAN-Passwort\n{P}"),
    *("| ada@example.org | {P} |", "ada@example.org:{P}", "ada@example.org / {P}"),
    *("The password of the router:\ntulip{d:3}", "password: |\n  tulip{d:3}"),
    *("<dt>Password</dt>\n<dd>tulip{d:3}Red</dd>", "Username\nada\nPassword\ntulip{d:3}Red"),
    *("name;login;password\nwiki;ada;tulip{d:3}", "site,user,pw\nwiki,ada,tulip{d:3}\n"),
    # What can be nothing else needs no word.
    *("| attic | admin | {P} |", "attic;admin;{P};north", "root/{P} on 10.2.3.4", "admin:{P}"),
    *("ftp account webmaster, {P}", "the account is root with {P}", "WLAN vom Keller\n{P}"),
]
NOT_BELOW = [
    *(
        "password:\n  type: string",
        "Password:\nwe keep it in Bitwarden",
        "password:\n  $DB_PASSWORD2",
    ),
    *(
        "## Password\n\nAda changes hers in May.",
        "password:\n\n## 2026-03-01",
        "Passwort:\nBitwarden",
    ),
    "| user | password policy |\n|---|---|\n| admin | 90days+MFA! |",
    "The password rules of the router:\nmin-12",
    'Set the token:\nTOKEN="$MY_TOKEN_2"',
    "name;user;password policy\nwiki;ada;90days+MFA",
    "| env | secret |\n|---|---|\n| prod | vault:secret/data/prod#db_pass |",
    "| password | note |\n|---|---|\n| in the vault | Xy7abcdef2 |",
    "| what | word |\n|---|---|\n| a password | `password` |\n| a coding | `base64` |",
    *("| ada@example.org | GMT+0200 | v1.2.3 |", "git@github.com:ada/notes.git", "a@b.org: #1234!"),
]


@pytest.mark.parametrize("text", BELOW)
def test_what_a_line_above_or_beside_names_is_found(text: str) -> None:
    assert filled(PASSWORD) not in secrets.redact(filled(text))
    assert secrets.redact(filled(text)) != filled(text)


@pytest.mark.parametrize("text", NOT_BELOW)
def test_what_stands_below_and_is_none_is_left(text: str) -> None:
    assert secrets.redact(filled(text)) == filled(text)


def code(token: str, coding: str) -> str:
    data = token.encode()
    made = {
        "base64": base64.b64encode(data).decode(),
        "url": base64.urlsafe_b64encode(data).decode().rstrip("="),
        "hex": data.hex(),
        "percent": "".join(f"%{byte:02X}" for byte in data),
        "quoted": "https://x.example/?u=" + quote(f"redis://:{token}@cache.example.org", safe=""),
        "pieces": f"{token[:9]}**{token[9:20]}**{token[20:]}",
        "added": f'"{token[:4]}" + "{token[4:20]}"+"{token[20:]}"',
        "adjacent": f"'{token[:9]}' '{token[9:]}'",
        "called": f"''.join(['{token[:4]}', '{token[4:]}'])",
    }
    return made[coding]


CODINGS = ("base64", "url", "hex", "percent", "quoted", "pieces", "added", "adjacent", "called")


@pytest.mark.parametrize("coding", CODINGS)
def test_a_token_in_another_coding_is_found(coding: str) -> None:
    line = code(sample("ghp_{an:36}"), coding)
    assert names(f"see {line} there")
    assert code("the quick brown fox jumps over it: 42", coding) == secrets.redact(
        code("the quick brown fox jumps over it: 42", coding)
    )


@pytest.mark.parametrize("unit", ["%25", "a**b", "%41%", "YWFh", "a@b.cc|", "6767", "**"])
def test_what_is_coded_over_and_over_ends(unit: str) -> None:
    assert names(unit * 20_000) == []
