package scrub

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// unseenSecrets are formats of secrets, written down before any was tried. {n:kind} stands for n
// random characters: h hex, d digits, a letters and digits, A capitals and digits, b base64, u base64 for URLs, w small letters; {uuid}.
// What has to go is between « and », or the whole placeholder text of the line.
const unseenSecrets = `
token = "«pypi-AgEIcHlwaS5vcmc{80:u}»"
HF_TOKEN=«hf_{34:a}»
export SENDGRID=«SG.{22:u}.{43:u}»
vault login «hvs.{95:u}»
SLACK_APP=«xapp-1-A0{9:A}-{13:d}-{64:h}»
doctl auth init -t «dop_v1_{64:h}»
shop: «shpat_{32:h}»
host token «dapi{32:h}»
//registry.npmjs.org/:_authToken=«npm_{36:a}»
git clone https://oauth2:«glpat-{20:u}»@gitlab.example.com/a/b
stripe.api_key = "«sk_live_{24:a}»"
rk: «rk_live_{24:a}»
TWILIO_API_KEY=«SK{32:h}»
mailgun «key-{32:h}»
LINEAR=«lin_api_{40:a}»
notion: «ntn_{46:a}»
airtable «pat{14:a}.{64:h}»
jira token «ATATT3xFfGF0{180:u}={8:A}»
grafana «glsa_{32:a}_{8:h}»
newrelic «NRAK-{27:A}»
DOPPLER_TOKEN=«dp.pt.{43:a}»
password «pscale_pw_{43:u}»
tkn «pscale_tkn_{43:u}»
supabase login --token «sbp_{40:h}»
figma «figd_{40:u}»
postman «PMAK-{24:h}-{34:h}»
sentry «sntryu_{64:h}»
OPENAI_API_KEY=«sk-proj-{74:u}T3BlbkFJ{74:u}»
key: «sk-ant-api03-{93:u}AA»
REPLICATE_API_TOKEN=«r8_{37:a}»
groq «gsk_{52:a}»
pplx = «pplx-{48:a}»
xai «xai-{80:a}»
fly «fo1_{43:u}»
render «rnd_{32:a}»
netlify «nfp_{40:a}»
origin ca «v1.0-{24:h}-{146:h}»
docker login -p «dckr_pat_{27:u}»
credentials "app.terraform.io" { token = "«{14:a}.atlasv1.{67:u}»" }
:rubygems_api_key: «rubygems_{48:h}»
cargo login «cio{32:a}»
nuget push -k «oy2{43:w}»
«AGE-SECRET-KEY-1{58:A}»
square «sq0csp-{43:u}»
square access «EAAA{60:u}»
bot «{10:d}:AA{33:u}»
discord «MT{22:a}.{6:a}.{38:u}»
curl https://discord.com/api/webhooks/{18:d}/«{68:u}»
https://hooks.slack.com/services/T{8:A}/B{8:A}/«{24:a}»
https://corp.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{32:h}/{uuid}»
DefaultEndpointsProtocol=https;AccountName=x;AccountKey=«{86:b}==»;EndpointSuffix=core.windows.net
https://x.blob.core.windows.net/c/f?sv=2022-11-02&sr=b&sig=«{43:a}%3D»
maps «AIza{35:u}»
client_secret: «GOCSPX-{28:u}»
aws_secret_access_key = «{40:b}»
fcm «AAAA{7:a}:APA91b{134:u}»
jdbc:postgresql://db/shop?user=shop&password=«{16:a}»
jdbc:oracle:thin:shop/«{12:a}»@db:1521/x
Server=db;Database=shop;User Id=sa;Password=«{14:a}»;
./deploy --password=«{14:a}» --force
deploy --token «{32:a}» prod
machine api.example.com login me password «{14:a}»
<password>«{14:a}»</password>
<property name="hibernate.connection.password" value="«{14:a}»"/>
db_password: "«{16:a}»"
secret_key = "«{32:a}»"
DJANGO_SECRET_KEY='«django-insecure-{50:a}»'
spring.datasource.password=«{14:a}»
https://deploy:«{16:a}»@git.example.com/x
redis://:«{20:a}»@cache:6379/0
mongodb+srv://app:«{16:a}»@c.mongodb.net/x
amqp://guest2:«{16:a}»@mq:5672
Authorization: Bearer «{43:u}»
Authorization: Basic «{40:b}»
curl -u admin:«{14:a}» https://example.com
-H "X-Api-Key: «{32:a}»"
«eyJhbGciOiJIUzI1NiJ9.eyJ{57:u}.{43:u}»
mysql -u root -p«{14:a}» shop
sshpass -p '«{14:a}»' ssh x
PGPASSWORD=«{14:a}» psql
user:«$apr1${8:a}${22:a}»
root:«$6${16:a}${86:a}»:19000:0:99999:7:::
{"auths": {"registry.example.com": {"auth": "«{40:b}»"}}}
_authToken=«{uuid}»
PrivateKey = «{43:b}=»
otpauth://totp/x?secret=«{32:A}»&issuer=y
heroku «HRKU-{uuid}»
dropbox «sl.{136:u}»
asana «2/{16:d}/{16:d}:{32:h}»
Authorization: SSWS «00{40:u}»
plaid «access-production-{uuid}»
shippo «shippo_live_{40:h}»
easypost «EZAK{54:a}»
mapbox «sk.eyJ{80:u}.{22:u}»
ALGOLIA_ADMIN_KEY=«{32:h}»
launchdarkly sdk key «sdk-{uuid}»
pulumi «pul-{40:h}»
contentful «CFPAT-{43:u}»
buildkite «bkua_{40:h}»
circle «CCIPAT_{22:a}_{40:h}»
sonar.token=«squ_{40:h}»
SNYK_TOKEN=«{uuid}»
tailscale up --authkey «tskey-auth-{16:a}-{32:a}»
op «ops_eyJ{200:u}»
prefect «pnu_{36:a}»
typeform «tfp_{59:u}»
brevo «xkeysib-{64:h}-{16:a}»
resend «re_{8:a}_{24:a}»
CLERK_SECRET_KEY=«sk_live_{40:a}»
VERCEL_TOKEN=«{24:a}»
deno «ddp_{36:a}»
neon «napi_{64:a}»
langfuse «sk-lf-{uuid}»
langsmith «lsv2_pt_{32:h}_{10:h}»
pinecone «pcsk_{70:a}»
api_key: "«{32:h}»",
const apiSecret = "«{40:a}»";
$password = '«{16:a}»';
"client_secret": "«{40:u}»"
`

// laterSecrets were written down after the rules had been mended by the first list, and before any was tried.
const laterSecrets = `
blob «vercel_blob_rw_{16:a}_{30:a}»
cloudinary://{15:d}:«{27:u}»@cloud
elastic «essu_{60:a}»
fireworks «fw_{24:a}»
together «tgp_v1_{43:u}»
DEEPSEEK_API_KEY=«sk-{32:h}»
MISTRAL_API_KEY=«{32:a}»
WANDB_API_KEY=«{40:h}»
modal token set --token-id «ak-{22:a}»
e2b «e2b_{40:h}»
tavily «tvly-{32:a}»
EXA_API_KEY=«{uuid}»
firecrawl «fc-{32:h}»
browserbase «bb_live_{27:a}»
cal «cal_live_{32:h}»
paddle «pdl_live_apikey_{26:w}_{22:a}_{3:a}»
polar «polar_oat_{43:a}»
MAILCHIMP_API_KEY=«{32:h}-us14»
mailersend «mlsn.{64:h}»
POSTMARK_SERVER_TOKEN=«{uuid}»
courier «pk_prod_{28:A}»
AUTH0_CLIENT_SECRET=«{64:u}»
FASTLY_API_TOKEN=«{32:u}»
B2_APPLICATION_KEY=«K00{28:a}»
R2_SECRET_ACCESS_KEY=«{64:h}»
HCLOUD_TOKEN=«{64:a}»
LINODE_TOKEN=«{64:h}»
VULTR_API_KEY=«{36:A}»
SCW_SECRET_KEY=«{uuid}»
OVH_APPLICATION_SECRET=«{32:a}»
DD_API_KEY=«{32:h}»
DD_APP_KEY=«{40:h}»
honeycomb «hcaik_{58:w}»
ROLLBAR_ACCESS_TOKEN=«{32:h}»
SEGMENT_WRITE_KEY=«{32:a}»
posthog «phx_{47:a}»
statsig «secret-{43:a}»
bitbucket «ATBB{32:a}»
GITEA_TOKEN=«{40:h}»
CODECOV_TOKEN=«{uuid}»
jfrog «AKCp8{68:a}»
index-url = https://ci:«{16:a}»@pypi.example.com/simple
<passphrase>«{16:a}»</passphrase>
signing.password=«{14:a}»
    token: «{48:a}»
    client-key-data: «{200:b}==»
helm install x --set db.password=«{14:a}»
password = "«{16:a}»"
ansible_become_pass: «{14:a}»
POSTGRES_PASSWORD: «{14:a}»
Environment="DB_PASS=«{14:a}»"
define('DB_PASSWORD', '«{14:a}»');
define('AUTH_KEY', '«{64:a}»');
secret_key_base: «{128:h}»
APP_KEY=«base64:{43:b}=»
jwt.secret=«{32:a}»
"DefaultConnection": "Server=db;Database=x;Uid=app;Pwd=«{14:a}»;"
postgres://app:«{16:a}»@db:5432/x
SMTP_PASS=«{14:a}»
bindpw «{14:a}»
  psk="«{14:a}»"
ssh-keygen -t ed25519 -N '«{14:a}»'
openssl enc -pass pass:«{14:a}» -in x
pass = «{22:u}»
db.example.com:5432:shop:app:«{14:a}»
bearer_token = "«AAAAAAAAAAAAAAAAAAAAA{80:a}»"
graph api «EAA{150:a}»
algoliasearch('{10:A}', '«{32:h}»')
trello «ATTA{72:h}»
hubspot «pat-na1-{uuid}»
clickup «pk_{8:d}_{32:A}»
Authorization: Bearer «{40:h}»
authtoken: «{27:a}_{21:a}»
CF_API_TOKEN=«{40:u}»
X-Auth-Key: «{37:h}»
`

// lastSecrets were written down after the rules had been mended by both lists.
const lastSecrets = `
mem0 «m0-{40:a}»
luma «luma-{8:h}-{4:h}-{4:h}-{4:h}-{12:h}-{8:h}»
convex «prod:{12:w}-{3:d}|{60:a}»
turso «eyJhbGciOiJFZERTQSJ9.eyJ{90:u}.{86:u}»
svix «testsk_{32:a}.us»
nango «nango_sk_{40:a}»
inngest «signkey-prod-{64:h}»
trigger.dev «tr_prod_{24:a}»
dub «dub_{24:a}»
loops «{32:h}» api_key
novu: NOVU_SECRET_KEY=«{32:h}»
axiom «xaat-{uuid}»
betterstack: LOGTAIL_TOKEN=«{24:a}»
checkly «cu_{32:h}»
pagerduty «u+{18:a}»
opsgenie: OPSGENIE_API_KEY=«{uuid}»
splunk hec: Authorization: Splunk «{uuid}»
dynatrace «dt0c01.{24:A}.{64:A}»
infracost «ico-{32:a}»
spacelift: SPACELIFT_API_KEY_SECRET=«{64:h}»
scalr «eyJhbGciOiJIUzI1NiJ9.eyJ{60:u}.{43:u}»
harness «pat.{22:u}.{24:h}.{20:a}»
argocd login --password «{16:a}»
vault kv put secret/x password=«{16:a}»
export TF_VAR_db_password="«{16:a}»"
RABBITMQ_DEFAULT_PASS=«{16:a}»
MINIO_ROOT_PASSWORD=«{20:a}»
KEYCLOAK_ADMIN_PASSWORD: «{16:a}»
"password": "«{16:a}»"
password => '«{16:a}»',
setPassword("«{16:a}»")
requirepass «{20:a}»
ldap_bind_password = «{16:a}»
<add key="ApiKey" value="«{32:a}»" />
<secret>«{24:a}»</secret>
ftp://user:«{14:a}»@ftp.example.com
smtp://me%40x.com:«{16:a}»@smtp.example.com:587
nats://app:«{16:a}»@nats:4222
gh auth login --with-token «ghp_{36:a}»
http --auth-type bearer --auth «{40:a}» GET x
wget --http-password=«{14:a}» x
snyk auth «{uuid}»
consul acl token: CONSUL_HTTP_TOKEN=«{uuid}»
NOMAD_TOKEN=«{uuid}»
encryption_key = "«{43:b}=»"
signing_secret: «{32:h}»
webhook_secret: "«whsec_{32:a}»"
SESSION_SECRET=«{64:h}»
cookieSecret: '«{32:a}»'
DATABASE_URL=mysql2://root:«{16:a}»@db/x
`

// harmless are lines that hold no secret, written down beside them.
const harmless = `
commit {40:h}
{64:h}  release.tar.gz
golang.org/x/sys v0.{2:d}.0 h1:{43:b}=
"integrity": "sha512-{86:b}=="
id: {uuid}
Merge pull request #{4:d} from someone/{8:w}-{8:w}
password := os.Getenv("SHOP_PASSWORD")
token := lexer.next(tokens, {2:d})
<password>${db.password}</password>
API_KEY=your-api-key-here
api_key: <your key>
secret_key = "changeme"
func checkPassword(password string, hash []byte) error {
if user.Password != confirmation.Password { return errMismatch{2:d} }
const maxTokenLength = {4:d}
The token is refreshed every {2:d} minutes by the {8:w} service.
Passwords are hashed with bcrypt, cost {2:d}; see auth/hash.go:{2:d}.
#{6:h} is the colour of links, #{6:h} that of buttons
import "github.com/{8:w}/{8:w}/internal/{8:w}"
./{8:w}/{8:w}/{8:w}_test.go:{3:d}: want {3:d}, got {3:d}
https://example.com/docs/{8:w}/{8:w}?page={2:d}#section-{8:w}
background: url(data:image/png;base64,iVBORw0KGgo{60:b})
docker pull ghcr.io/{8:w}/{8:w}@sha256:{64:h}
uses: actions/checkout@{40:h}
keyboard shortcut: ctrl+k ctrl+{1:w}
public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43:b} me@example.com"
-----BEGIN CERTIFICATE-----
version: {1:d}.{2:d}.{1:d}-rc.{1:d}+{7:h}
{8:w}Token, {8:w}Secret and {8:w}Key are fields of the form
type AccessToken struct { Value string; ExpiresIn time.Duration }
tokenizer = Tokenizer.from_pretrained("{8:w}-base-uncased")
INSERT INTO users (name, password) VALUES ($1, $2)
etag: W/"{32:h}"
trace_id={32:h} span_id={16:h} took {3:d}ms
0x{40:h} is the address of the contract
{8:w}.{8:w}.{8:w}.svc.cluster.local:{4:d}
author = "{8:w} <{8:w}@example.com>"
password: ""
secretName: {8:w}-tls
- name: PASSWORD
func abigen_sync_atomic_CompareAndSwapInt32(addr *int32)
case arg_immediate_BFI_BFM_32M_bitfield_width_32_imms:
#define ETHTOOL_LINK_MODE_1000baseKX_Full_BIT {2:d}
`

var blank = regexp.MustCompile(`\{(?:(\d+):(\w)|uuid)\}`)

// filled replaces the placeholders of a format.
func filled(random *rand.Rand, format string) string {
	const small, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	alphabets := map[string]string{
		"h": digits + "abcdef", "d": digits, "w": small, "a": small + strings.ToUpper(small) + digits, "A": strings.ToUpper(small) + "234567",
		"b": small + strings.ToUpper(small) + digits + "+/", "u": small + strings.ToUpper(small) + digits + "-_",
	}
	draw := func(n int, alphabet string) string {
		var b strings.Builder
		for range n {
			b.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	return blank.ReplaceAllStringFunc(format, func(s string) string {
		m := blank.FindStringSubmatch(s)
		if m[1] == "" {
			hex := alphabets["h"]
			return draw(8, hex) + "-" + draw(4, hex) + "-4" + draw(3, hex) + "-a" + draw(3, hex) + "-" + draw(12, hex)
		}
		n, _ := strconv.Atoi(m[1])
		return draw(n, alphabets[m[2]])
	})
}

// TestFormatsOfServices holds how many of these formats are missed, and how many harmless lines lose something. docs/security.md has what was
// missed of each list when it was new.
func TestFormatsOfServices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, list := range []string{unseenSecrets, laterSecrets, lastSecrets} {
		formats := strings.Split(strings.Trim(list, "\n"), "\n")
		var missed []string
		for _, format := range formats {
			line := filled(random, format)
			before, rest, _ := strings.Cut(line, "«")
			secret, after, _ := strings.Cut(rest, "»")
			if out, _ := Text(before + secret + after); strings.Contains(out, secret) {
				missed = append(missed, before+secret+after)
			}
		}
		t.Logf("list %d: missed %d of %d:\n%s", name, len(missed), len(formats), strings.Join(missed, "\n"))
		if share := float64(len(missed)) / float64(len(formats)); share > 0.15 {
			t.Errorf("list %d: %.3f of the formats are missed", name, share)
		}
	}
	var lines, wrong []string
	for len(lines) < 200 {
		for _, format := range strings.Split(strings.TrimSpace(harmless), "\n") {
			lines = append(lines, filled(random, format))
		}
	}
	for _, line := range lines {
		if out, _ := Text(line); out != line {
			wrong = append(wrong, line+" -> "+out)
		}
	}
	t.Logf("false alarms in %d of %d:\n%s", len(wrong), len(lines), strings.Join(wrong, "\n"))
	if share := float64(len(wrong)) / float64(len(lines)); share > 0.01 {
		t.Errorf("%.3f of the harmless lines lose something", share)
	}
}
