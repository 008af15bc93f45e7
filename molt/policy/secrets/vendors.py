"""Who gives out keys: beside such a name a run by lot is a key, without a form of its own too."""

from __future__ import annotations

_NAMES = """
1password adafruit adyen airbrake airtable aiven akamai algolia alchemy alibaba aliyun alphavantage
amadeus amplitude anthropic apify appcenter appveyor asana assemblyai atlassian auth0 azure baidu
bamboohr bandwidth betterstack binance bitbucket bitly bitrise bittrex blockfrost box.com
brevo browserstack bugsnag buildkite bybit calendly cerebras checkr chargebee circleci
clearbit clickhouse clickup clojars cloudflare cloudinary cloudsmith codacy codecov codeium
cohere coinbase coinmarketcap confluent consul contentful convertkit coveralls customer.io
dashscope databricks datadog deepgram deepl deepseek digitalocean discord docusign doppler drone.io
dropbox duffel dynatrace easypost elevenlabs etherscan etsy eventbrite exa.ai facebook
fastly figma finnhub firebase fireworks flickr flutterwave foursquare freshbooks freshdesk
gandi gemini giphy github gitlab gitter gocardless godaddy google grafana groq
 hcloud helpscout heroku hetzner honeycomb hubspot huggingface huawei infracost infura
instana intercom ipinfo iterable jenkins jfrog jira jumpcloud kaggle kimi klaviyo kraken kucoin
langfuse langsmith launchdarkly lemonsqueezy linear linkedin linode litellm logdna loggly lokalise
looker mailchimp mailersend mailgun mailjet mandrill mapbox mapquest mattermost maxmind meilisearch
messagebird miro mistral mixpanel moonshot moralis mux neon netlify newrelic nexmo
ngrok notion nuget nvidia nytimes octopus okta onelogin onesignal openai opencage openrouter
openshift opensubtitles openweather opsgenie optimizely ovh packagecloud pagerduty paypal
paystack perplexity pinecone pingdom pipedrive plaid planetscale plivo polygon posthog
postman postmark prefect pulumi pusher quicknode railway rapidapi razorpay readme.io recaptcha
redis replicate resend ringcentral rollbar scaleway sendbird sendgrid sendinblue
sentry serpapi serper shippo shodan shopify slack snipcart snowflake snyk sonar sonarcloud
sourcegraph splunk spotify square squarespace stability statuspage stripe sumologic
supabase tavily telegram tencent terraform tiktok todoist travis trello tushare
twilio twitch twitter typeform unsplash upstash uptimerobot vercel virustotal voyage vonage vultr
wandb weatherapi webex webflow workos wrike xero yandex yelp youtube zapier zendesk zerotier zoho
zoom
"new relic" "home assistant" "weights & biases" "alpha vantage" "sumo logic" "hugging face"
"together ai" "better stack" "monday.com" 百度 阿里 腾讯 华为 火山 智谱 高德 讯飞 微信 飞书 钉钉
"""


def _read_names() -> tuple[str, ...]:
    """The names of the table; one of several words stands in quotes."""
    parts = _NAMES.split('"')
    return (*" ".join(parts[::2]).split(), *parts[1::2])


NAMES = _read_names()
_WORDS = frozenset(name for name in NAMES if name.isascii() and name.isalpha())
_OTHERS = tuple(name for name in NAMES if name not in _WORDS)
_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
# Characters before the name of a key in which its vendor counts as named: a short clause.
_NEAR = 48


def is_told(lower: str, end: int) -> bool:
    """Whether who gives out keys is named not far from the name of one that ends at a place."""
    piece = lower[max(0, end - _NEAR) : end + _NEAR // 2]
    if piece.isascii():
        words = piece.translate(_NO_LETTERS)
    else:
        words = "".join(char if char.isalpha() else " " for char in piece)
    # A word that stands alone is one between blanks, and is looked up.
    if not _WORDS.isdisjoint(words.split()):
        return True
    return any(name in piece and _stands_alone(piece, name) for name in _OTHERS)


def _stands_alone(piece: str, name: str) -> bool:
    at = piece.find(name)
    beside = piece[max(0, at - 1) : at] + piece[at + len(name) : at + len(name) + 1]
    return not (name.isascii() and any(char.isalpha() for char in beside))
