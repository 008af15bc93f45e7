"""The words that name a secret, what stands between them and it, and what makes them none."""

from __future__ import annotations

PASS = (
    *("password", "passwort", "passwd", "passphrase", "passcode", "kennwort", "wachtwoord"),
    *(
        "contraseña",
        "contrasena",
        "contrasenya",
        "senha",
        "mot de passe",
        "motdepasse",
        "hasło",
        "hasłem",
    ),
    *("lösenord", "пароль", "пароля", "密码", "密碼", "口令", "パスワード", "비밀번호", "暗号キー"),
    *("passord", "adgangskode", "kodeord", "salasana", "heslo", "jelszó", "jelszava", "parola"),
    *("parolă", "palavra-passe", "palavra passe", "haslo", "hasła", "şifre", "lozinka", "geslo"),
    *(
        "паролем",
        "паролі",
        "парола",
        "κωδικός",
        "κωδικο",
        "συνθηματικό",
        "كلمة السر",
        "كلمة المرور",
    ),
    *("סיסמה", "סיסמא", "ססמה", "पासवर्ड", "mật khẩu", "kata sandi", "รหัสผ่าน", "암호", "패스워드"),
    *(
        "wifi key",
        "wi-fi key",
        "wlan key",
        "wpa key",
        "wpa2 key",
        "wpa3 key",
        "wep key",
        "network key",
        "network security key",
    ),
    *("wlan-schlüssel", "wlan schlüssel", "wifi-schlüssel", "netzwerkschlüssel", "clé wifi"),
    *("clé wi-fi", "clé du wifi", "clé wpa", "wifi密钥", "无线密钥"),
    *(
        "identified by",
        "暗碼",
        "口令碼",
        "wachtwoorden",
        "wifi-code",
        "paswoord",
        "slaptažodis",
        "parool",
    ),
    *("pre-shared key", "preshared key", "shared secret", "pragma key", "비번"),
    *("パスは", "パス：", "パス:", "zugangscode"),
)
# Behind these stands what a program or a machine is given, with no sign between.
DIRECT = (
    *("snmp-server community", "snmp community", "requirepass", "isakmp key", "enable secret"),
    "rootpw",
    *("identified by", "key-string", "wpa-psk", "pre-shared-key", "bindpw"),
)
ONE_TIME = ("totp secret", "otp secret", "2fa secret", "mfa secret", "authenticator secret")
BOUGHT = (
    *("license key", "licence key", "product key", "activation key", "lizenzschlüssel"),
    *("windows key", "office key", "steam key", "cd key", "cd-key", "serial key", "game key"),
    *("produktschlüssel", "clé de licence", "clé de produit", "clave de licencia", "激活密钥"),
)
# Short words count only where no letter stands beside them: `DB_PASS`, `wifi pw`, `PGPASSWD`.
SHORT = (
    "pwd",
    "pw",
    "psk",
    "mdp",
    "clave",
    "bindpw",
    "rootpw",
    "userpw",
    "pass phrase",
    "pass-phrase",
    "pass code",
)
KEY = (
    *(
        "secret",
        "secretid",
        "secret_id",
        "secret id",
        "totp seed",
        "otp seed",
        "2fa seed",
        "mfa seed",
        "token",
        "api key",
        "api_key",
        "api-key",
        "apikey",
        "access key",
        "access_key",
    ),
    *("access-key", "accesskey", "auth key", "auth_key", "authkey", "signing key", "signing_key"),
    *("encryption key", "encryption_key", "private key", "private_key", "privatekey", "privkey"),
    *("hmac key", "hmac_key"),
    *(
        "license key",
        "secret key",
        "secret_key",
        "secretkey",
        "presharedkey",
        "master key",
        "master_key",
        "master.key",
        "app key",
        "appkey",
        "app_key",
        "local key",
        "localkey",
        "application key",
        "applicationkey",
        "link key",
        "unseal key",
        "subscription key",
        "subscription-key",
        "bearer",
        "credential",
        "schlüssel",
        "geheimnis",
    ),
    *("clé api", "clé d'api", "clé secrète", "clé privée", "jeton", "clave api", "clave secreta"),
    *("clave privada", "secreto", "chave", "密钥", "密鑰", "秘钥", "密匙", "令牌", "私钥", "私鑰"),
    *(
        "apiキー",
        "トークン",
        "シークレット",
        "秘密鍵",
        "アクセスキー",
        "キー",
        "ключ",
        "токен",
        "секрет",
    ),
)
GIVEN = ("_pat", "-team", "login")
LOGIN = (
    *("登录", "登錄", "登入", "inloggen", "einloggen", "anmelden"),
    *("zugang", "logindaten", "credenziali", "credenciales", "credenciais", "unlock", "keepass"),
    *("entsperr", "déverrouill", "desbloque"),
    *(
        "runas",
        "login",
        "credentials",
        "creds",
        "zugangsdaten",
        "identifiants",
        "логин",
        "账号",
        "帐号",
    ),
)
CODE = (
    *("recovery code", "backup code", "rescue code", "scratch code", "emergency code"),
    *("recovery key", "wiederherstellungs", "backup-code", "notfallcode", "code de secours"),
    *(
        "codes de secours",
        "code de récupération",
        "codes de récupération",
        "código de recuperación",
    ),
    *("códigos de recuperación", "códigos de respaldo", "恢复码", "恢復碼", "备份码", "恢复代码"),
    *("резервные коды", "резервный код", "коды восстановления", "код восстановления"),
    *("リカバリーコード", "バックアップコード", "復旧コード"),
)
QUOTES = "\"'`*_"
OPEN = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "「": "」", "‘": "’"}
SIGNS = (", it's", ", it is", "=>", "->", ":=", ":", "：", "=", "→", "| ")
# After a dash stands what explains as often as what is named.
DASHES = ("—", "–", "- ")
_SPOKEN = """
is are was lautet ist lauten est es son é è это 是 为 為 は je jest är er este είναι هي هو היא है là
adalah คือ sind és heißt heisst war 's s c'est eru
"""

_BETWEEN = "reg_sz now set to changed jetzt neu ahora maintenant currently still"
_STILL = """
still now remains stays bleibt noch nun früher reste toujours maintenant sigue siendo ahora continua
sendo agora adesso ora rimane теперь сейчас blijft nu nog teraz nadal
"""
STILL = frozenset(_STILL.split())
"""What says that something is, as it was or anew."""
TO = ("to ", "auf ", "in ", "a ", "en ", "na ", "на ", "por ", "til ", "till ", "naar ")
CHANGED = (
    *("chang", "set ", "reset", "updat", "switch", "geänd", "änder", "gesetzt", "setz", "cambi"),
    *("mudei", "alter", "pon", "puse", "modifi", "zmien", "zmień", "измен", "сменил", "помен"),
)
"""What is done with a name before what it is turned `TO`."""
AND = frozenset(["है", "हैं", "and", "und", "et", "y", "e", "en", "och", "og", "i", "и", "ja", "ve"])
"""What goes on with something else."""
ON = (" on ", " to ", " er ", " — ", " – ", "คือ")
"""Signs of other languages, which are words of every day in English."""
VERBS, FILLERS = frozenset(_SPOKEN.split()), frozenset(_BETWEEN.split())
AS = (
    *(" as ", " als ", " como ", " comme ", " come ", " som ", " jako ", " как ", " kaldes "),
    *("作为", "作為", "当作", "做", "当"),
)
"""What makes what stands before it that what stands behind it names."""
OF = (
    *("for ", "of ", "on ", "to ", "from ", "für ", "von ", "vom ", "zum ", "zur ", "de ", "du "),
    *("fürs ", "im ", "beim ", "wifi ", "wi-fi ", "wlan "),
    *("des ", "del ", "pour ", "para ", "от ", "для ", "к ", "in ", "at ", "(", "the ", "di "),
    *("van ", "voor ", "do ", "da ", "dos ", "das ", "till ", "til ", "för ", "k ", "ke "),
    *("bei ", "auf ", "with ", "chez ", "sur ", "en ", "con ", "per ", "em ", "op ", "у ", "в "),
    *("na ", "od ", "la ", "dla ", "до ", "על ", "ל", "की ", "का ", "του ", "της "),
)
# What a name goes on with when it names no secret itself.
ENDINGS = (
    "et ",
    "en ",
    "et:",
    "en:",
    "an ",
    "ası",
    "em ",
    "ni ",
    "em:",
    "ni:",
    "ene ",
    "nek ",
    "ja ",
    "ja:",
    "n ",
    "si ",
    "si:",
    "niz ",
    "та ",
    "та:",
)
"""What a name may end with in other languages: `passordet`."""
CIPHERS = ("화", "货币", "貨幣", "学", "學")
"""What makes a word for a password one for ciphers, and for the money that is made of them."""
ABOUT = (
    *CIPHERS,
    *("hash", "file", "path", "policy", "field", "length", "len", "min", "max", "reset", "url"),
    *("hint", "age", "expir", "id", "name", "type", "count", "limit", "budget", "manager", "less"),
    *("usage", "use", "rule", "address", "contract", "symbol", "mint", "ring", "vault", "store"),
)
NO_KEY = (
    *("public", "primary", "foreign", "cache", "sort", "partition", "idempotency", "host"),
    *("private", "lookup", "object", "storage", "deploy", "ssh", "json", "dict", "sha", "s3"),
    *("hash", "did:", "publishable", "site"),
)
# What a token is called that swaps, pages or counts, and opens nothing.
NO_TOKEN = (
    *("from", "to", "input", "output", "base", "quote", "next", "page", "sync", "cancel"),
    *("contract", "mint", "swap", "spl", "nft", "continuation", "limit", "cursor", "prompt"),
    *(
        "completion",
        "cached",
        "request",
        "push",
        "correlation",
        "dispatch",
        "idempotency",
        "trace",
        "resume",
        "max",
        "total",
        "stop",
        "pad",
        "unk",
        "eos",
        "bos",
    ),
)
HASHED = (
    *("hash", "sha1", "sha2", "sha3", "sha5", "sha-", "sha of", "digest", "checksum", "md5"),
    *("fingerprint", "integrity", "commit", "etag"),
)
VAGUE = ("token", "secret")
"""Names of keys that name other things as well."""
