"""Who gives out keys: beside such a name a run by lot is a key, without a form of its own too."""

from __future__ import annotations

_NAMES = """
1password adafruit adyen airbrake airtable aiven akamai alchemy algolia alibaba aliyun
alphavantage amadeus amplitude anthropic anyscale apify appcenter appveyor appwrite asana
assemblyai astra atlassian auth0 azure backblaze baidu bamboohr bandwidth bark baseten betterstack
binance bitbucket bitly bitrise bittrex bitwarden blockfrost bluesky box.com braintree brevo
browserbase browserstack bugsnag buildkite bunny bybit calendly cartesia cerebras chargebee
chatwoot checkly checkr circleci civitai clearbit clerk clickhouse clickup clojars cloudflare
cloudinary cloudsmith cloudways codacy codecov codeium cohere cohort coinbase coinmarketcap
composio confluent consul contentful convertkit coveralls coze cronitor crowdstrike cursor
customer.io dashscope databricks datadog deepgram deepl deepseek deno dify digitalocean discord
dnsimple docusign doppler drone.io dropbox duckdns duffel dynatrace easypost ecobee elevenlabs
emby etherscan etsy eventbrite exa.ai expo facebook fal fastly figma finnhub firebase fireworks
fitbit flickr flutterwave forgejo foursquare freshbooks freshdesk gandi garmin gemini giphy gitea
gitee github gitlab gitter gocardless godaddy google gotify grafana groq hcaptcha hcloud
healthchecks helpscout heroku hetzner homeassistant honeycomb huawei hubspot huggingface hunyuan
immich infracost infura inngest instana intercom ionos ipinfo iterable iterm jellyfin jellyseerr
jenkins jfrog jina jira jumpcloud kaggle kagi kimi klaviyo kraken kucoin langchain langfuse
langsmith lastfm launchdarkly lemonsqueezy lidarr linear linkedin linode litellm livekit
llamacloud logdna logfire loggly lokalise looker mailchimp maileroo mailersend mailgun mailjet
mandrill mapbox mapquest mastodon matrix mattermost maxmind meilisearch mem0 messagebird mikrotik
minimax minio miro mistral mixpanel mollie moonshot moralis mux namecheap neon netatmo netlify
newrelic nexmo nextcloud ngrok nomad notion novita ntfy nuget nvidia nylas nytimes octopus okta
omdb onelogin onesignal openai opencage openrouter openshift opensubtitles openweather opnsense
opsgenie optimizely oura overseerr ovh packagecloud paddle pagerduty paperless parseur paypal
paystack perplexity pfsense pihole pinecone pingdom pipedrive plaid planetscale plex plivo polar
polygon porkbun portainer portkey posthog postman postmark prefect prowlarr proxmox pulumi
pushbullet pusher pushover pushplus qdrant qiniu quicknode radarr railway rapidapi razorpay
readme.io readwise recaptcha recurly reddit redis replicate resend retool revenuecat ringcentral
rollbar runpod runway sambanova sanity scaleway scrapingbee sendbird sendgrid sendinblue sentry
serpapi serper serverchan shelly shippo shodan shopify siliconflow slack snipcart snowflake snyk
sonar sonarcloud sonarr sourcegraph splunk spotify square squarespace stability statsig statuspage
strapi strava stripe stytch sumologic sumup suno supabase synology tado tailscale tally tautulli
tavily telegram temporal tencent terraform tiktok tinybird tmdb todoist trakt travis trello
truenas turso tushare tuya twilio twitch twitter typeform unifi unkey unsplash upstash uptimerobot
vault vaultwarden vercel vikunja virustotal volcengine vonage voyage vultr wandb wasabi weatherapi
weaviate webex webflow withings workos wrike xai xero yandex yelp youtube zapier zendesk zep
zerotier zoho zoom zuplo
"new relic" "home assistant" "weights & biases" "alpha vantage" "sumo logic" "hugging face"
"together ai" "better stack" "monday.com" 百度 阿里 腾讯 华为 火山 智谱 高德 讯飞 微信 飞书 钉钉
豆包 硅基流动 七牛 文心 千问 混元 飞桨 推送
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
