"""Keys of wallets, of files and of machines that their form tells: formats as data."""

from __future__ import annotations

from molt.policy.secrets.form import SecretForm

_B58 = "[1-9A-HJ-NP-Za-km-z]"


_Form = SecretForm
_LONG = "w" * 40
"""So long a run tells of each of these, which so need no mark of their own."""

# fmt: off
_WALLETS = (
    _Form("private key of a wallet", "", r"(?<!\w)6P[1-9A-HJ-NP-Za-km-z]{56}(?!\w)", "6P{b58:56}",
          "6P", shape=_LONG),
    _Form("private key of a wallet", "", r"(?<!\w)S(?=[A-Z]*[2-7])[A-Z2-7]{55}(?!\w)", "S{b32:55}",
          "SAND", shape=_LONG),
    _Form("private key of a wallet", "edsk spsk p2sk edesk",
          rf"(?:edsk|spsk|p2sk|edesk){_B58}{{50,94}}(?!\w)", "edsk{b58:50}", "edsk", shape=_LONG),
    _Form("private key of a wallet", "suiprivkey addr_ stake_ root_ acct_ ed25519",
          r"(?:suiprivkey|(?:addr|stake|root|acct)_x?sk|ed25519e?_sk)1[02-9ac-hj-np-z"
          r"]{58,200}(?!\w)", "suiprivkey1{bech:60}", "suiprivkey", shape=_LONG),
    _Form("private key of a wallet", "ed25519",
          rf"ed25519(?:-priv-0x[0-9a-f]{{64}}|:{_B58}{{86,88}})(?!\w)", "ed25519:{b58:88}",
          "ed25519:key", shape=_LONG),
    _Form("private key of a wallet", "302e0201",
          r"302e020100300506032b657004220420[0-9a-f]{64}(?!\w)",
          "302e020100300506032b657004220420{hex:64}", "302e", shape=_LONG),
    _Form("macaroon", "0201036c6e64 AgEDbG5k",
          r"(?:0201036c6e64[0-9a-f]{80,400}|AgEDbG5k[\w+/-]{60,500})", "0201036c6e64{hex:200}",
          "0201", shape=_LONG),
)
_KEYS = (
    _Form("private key", "", r"(?<!\w)S[UAONCX][A-Z2-7]{56}(?!\w)", "SU{b32:56}", "SUNDAY",
          shape=_LONG),
    _Form("private key", "-----BEGIN", r"-----BEGIN USER NKEY SEED-----",
          "-----BEGIN USER NKEY{_:1}SEED-----", "-----BEGIN USER"),
    _Form("private key", "-----BEGIN", r"-----BEGIN OpenVPN Static key V1-----",
          "-----BEGIN OpenVPN Static{_:1}key V1-----", "-----BEGIN OpenVPN"),
    _Form("private key", "k1. k2. k3. k4.", r"k[1-4]\.(?:secret|local)\.[\w-]{43,90}",
          "k4.local.{w:43}", "k4.local.name", shape=_LONG),
    _Form("PASETO token", "v1. v2. v3. v4.", r"v[1-4]\.(?:local|public)\.[\w-]{40,480}",
          "v4.public.{w:120}", "v4.public.name", shape=_LONG),
    _Form("private key", "RWRTY0Iy", r"RWRTY0Iy[A-Za-z0-9+/]{100,220}={0,2}", "RWRTY0Iy{b:200}",
          "RWRTY0Iy", shape="b" * 40),
    _Form("two-factor secret", "otpauth-migration://",
          r"otpauth-migration://offline\?data=([\w%+/=-]{20,480})",
          "otpauth-migration://offline?data={an:80}", "otpauth-migration://offline?data=DATA"),
)
# fmt: on

FORMS = (*_WALLETS, *_KEYS)
