import { describe, expect, it } from "vitest";
import { REDACT_DEFAULTS } from "../../../src/redact/redact-options.ts";
import { redactText } from "../../../src/redact/redact-text.ts";

/** Joined so that no scanner of this repository takes a made-up key for a real one. */
const fake = (...parts: readonly string[]) => parts.join("");

const JWT = fake(
  "eyJhbGciOiJIUzI1NiJ9",
  ".eyJzdWIiOiIxMjM0NTY3ODkwIn0",
  ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
);
const BODY = "MIIEpAIBAAKCAQEAwJ0pQz6b5xk2Y8nR3tVd7cF1hG4mL9sP";
const AWS_SECRET = fake("wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYzEXAMPLE42");

/** What is in «guillemets» is secret; what is outside stays, to the last blank. */
const SECRETS: readonly string[] = [
  // Headers
  "Authorization: Bearer «abc123def456ghi»",
  "authorization: basic «dXNlcjpodW50ZXIy»",
  `{"Authorization":"Bearer «${JWT}»"}`,
  '{"headers":{"authorization":["Basic «dXNlcjpwYXNz»"]}}',
  "curl -H 'Authorization: token «0123456789abcdef»' https://example.com",
  'request header authorization="Bearer «s3cr3tvalue»" sent',
  "Proxy-Authorization: Basic «dXNlcjpwYXNz»",
  'Authorization: Digest «username="bob", realm="x", response="6629fae49393a05397450978507c4ef1"»',
  'msg="header Authorization: Digest «username=\\"bob\\", response=\\"6629fae4\\"»" n=1',
  "X-Auth-Token: «gAAAAABk9x»",
  "x-api-key: «d41d8cd98f00b204»",
  "Cookie: «sid=31d4d96e407aad42; theme=dark»",
  '{"set-cookie":"«sid=31d4d96e407aad42; Path=/»"}',
  "sending Bearer «mF_9.B5f-4.1JqM» to upstream",
  // Pairs
  "password=«hunter2»",
  "level=error user=app password=«correct-horse» msg=x",
  'passwd="«two words»" next=1',
  "db.password = «hunter2»",
  "DB_PASS=«hunter2»",
  "PGPASSWORD=«hunter2» psql",
  "spring.datasource.password: «hunter2»",
  "  - token: «abcdef»",
  "password=«!x» pw=«hunter2», bind_pw: «y1z!»",
  "password= «aGVsbG8=»",
  "ALTER USER bob PASSWORD '«it''s»';",
  "passphrase: «correct horse battery staple»",
  'client_secret: "«a, b & c»"',
  "User{name=bob, password=«hunter2»}",
  "{Host:db User:bob Password:«hunter2»}",
  'Config { user: "bob", password: Some("«hunter2»"), port: 5432 }',
  "{'api_key': '«0a1b2c3d»', 'n': 1}",
  '{"user":"bob","password":"«hun\\"ter2»","n":1}',
  '{"password" : "«hunter2»"}',
  'msg="{\\"password\\":\\"«hunter2»\\",\\"n\\":1}"',
  '{"log":"{\\"m\\":\\"{\\\\\\"token\\\\\\":\\\\\\"«hunter2»\\\\\\"}\\"}"}',
  '{"password":"«cut off in the mid»',
  "--password «hunter2» --host db",
  "--client-secret=«hunter2»",
  "<password>«hunter2»</password>",
  ":password => '«hunter2»'",
  "password := «hunter2»",
  "user[password]=«hunter2»&commit=1",
  "ALTER USER bob WITH PASSWORD '«hunter2»';",
  "CREATE USER bob IDENTIFIED BY '«hunter2»'",
  "accessKeyId=x secretAccessKey=«abcdefghij»",
  "Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=«q1w2e3r4=»",
  "bad password: «Tr0ub4dor&3»",
  "password=«p&ss,w;rd)x» user=bob",
  "\u001b[3mpassword\u001b[0m\u001b[2m=\u001b[0m«hunter2»\u001b[0m ok",
  '\u001b[3mapi_key\u001b[0m\u001b[2m=\u001b[0m"«hunter2»" ok',
  "userPassword:: «e1NTSEF9x»",
  "SET PASSWORD FOR bob = PASSWORD('«hunter2»')",
  "Secret Key: «abcdefghij»",
  "invalid API key: «abc123xyz»",
  "curl -u bob:«hunter2» http://x",
  "{user: bob, password: «letmein»}",
  'sasl.jaas.config=PlainLoginModule required username="a" password="«a-secret»";',
  '{"n":1,"password":«12345»}',
  // URLs and data source names
  "https://x.blob.example/c?sp=r&sig=«Zm9v%2Bbar%3D»&se=2026",
  "POST https://hooks.slack.com/services/«T0001/B0001/abcdef» 404",
  "GET /login?user=bob&token=«abc123»&x=1",
  "GET /cb#access_token=«abc123»&state=x",
  "next=%2Flogin%3Fpassword%3D«hunter2»%26x%3D1",
  "https://x.blob.example/c?sv=1&X-Amz-Signature=«3ef5a1»&y=2",
  "postgres://app:«hunter2»@db.example.com:5432/app?sslmode=disable",
  "amqp://guest:«p@ss»@mq:5672/",
  "redis://:«hunter2»@cache:6379/0",
  "postgres://app:«pa/ss»@db/app",
  "mongodb://u:«p1»@a:1,b:2/db and http://v:«p2»@c/",
  "failed to dial root:«hunter2»@tcp(10.0.0.1:3306)/app: refused",
  "connecting to bob:«hunter2»@db.internal:5432",
  "https://«0123456789abcdef0123»@git.example.com/x.git",
  // Keys of vendors and private keys
  `id ${fake("«AKIA", "IOSFODNN7EXAMPLE»")} denied`,
  `${fake("«AKIA", "IOSFODNN7EXAMPLE»")}:«${AWS_SECRET}»`,
  `aws_secret_access_key = «${AWS_SECRET}»`,
  `push with ${fake("«ghp", "_16C7e42F292c6912E7710c838347Ae178B4a»")}.`,
  fake("«github", "_pat_11ABCDEFG0abcdefghijkl_0123456789»"),
  fake("«glpat", "-xYz0123456789abcdefg»"),
  fake("«xoxb", "-123456789012-abcdefABCDEF»"),
  fake("«sk", "-proj-AbCdEfGh0123456789»"),
  fake("key «AIza", "SyA0123456789abcdefghijklmnopqrstuv»"),
  fake("«npm", "_abcdefghijklmnopqrstuvwxyz0123456789»"),
  `token from ${fake("«hvs", ".CAESIabcdefghijklmnop»")} used`,
  `jwt «${JWT}», expired`,
  `-----BEGIN RSA PRIVATE KEY-----\n«${BODY}»\n  «${BODY}»\n«abc==»\n-----END RSA PRIVATE KEY-----`,
  `"-----BEGIN PRIVATE KEY-----«\\n${BODY}\\n${BODY}\\n»-----END PRIVATE KEY-----\\n"`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\r\n«${BODY}»\r\n\r\nnext line stays`,
  // Personal data
  "mail to «bob.smith+x@mail.example.co.uk» failed",
  "user=«bob@example.com», id=7",
  "paid with «4111 1111 1111 1111»",
  "card «4111111111111111»,",
  'pan="«5500-0000-0000-0004»"',
  "amex «3782 822463 10005» declined",
];

const NEAR_SECRETS: readonly string[] = [
  // Messages about secrets
  'password authentication failed for user "app"',
  "FATAL: password authentication failed for user {0}",
  "token expired",
  "invalid token: unexpected",
  "invalid token: unexpected end of input",
  'unexpected token: "}"',
  "SyntaxError: Unexpected token } in JSON at position 15",
  "Unexpected token: punc (:)",
  'secret "x" not found',
  'secrets "registry-credentials" not found',
  "couldn't find key password in Secret kube-system/db",
  "MountVolume.SetUp failed: secret 'db-creds' not found",
  "token: expired",
  "password: required",
  "Error: token is expired by 5m",
  "authorization: permission denied for user",
  "Bearer token is missing",
  "Bearer authentication failed",
  "Basic authentication required",
  "basic auth disabled",
  'klog "Failed to get" secret="kube-system/registry" err="not found"',
  "password={password} token={token}",
  "password=%s token=%v secret=${SECRET} key=$API_KEY",
  "password=*** secret=<redacted> token=[REDACTED] api_key=xxxxxx",
  '{"password":null,"token":"","secret":{"name":"x"}}',
  "password= user=bob, token=",
  "password='' user=x password=\"\"",
  "token_type=Bearer expires_in=3600",
  "secretName: registry-credentials",
  "password_changed_at=2026-01-01 passwordPolicy=strict",
  "max_tokens=4096 tokens: 512 total_tokens=77",
  "nextPageToken=abc next_token: xyz1234567 continuation_token=abc123456",
  "primary_key=id partition_key=user cache_key=a1b2c3d4e5",
  "private_key: /etc/ssl/private/server.key",
  "tls.key=/etc/tls/tls.key passwordFile=/run/x",
  "PWD=/home/app OLDPWD=/",
  "tests pass: 12 fail: 0; pass=12",
  "token == nil && secret != expected",
  "token::Kind secret::Store std::pass::Manager",
  "secret://vault/path",
  "bypass=on compass: north",
  "docker run -u 1000:1000 x",
  "primary key: id, foreign Key: y",
  "error reading password: EOF",
  "foreign key constraint fails",
  "at src/token.rs:12:5 and password.go:77",
  // Numbers, hashes and ids
  "epoch=7891234567891234 vnode=4242424242424242",
  "ts=1773230580000000000 1773230580000 1773230580",
  "offset 4111111111111111 of partition 3",
  "object_id=4111111111111111",
  "4111111111111112 is no card number",
  "version 4111.1111.1111.1111",
  `vnode bitmap: ${"1".repeat(64)}${"0".repeat(192)}`,
  "550e8400-e29b-41d4-a716-446655440000",
  "41111111-1111-1111-1111-111111111111",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "nginx:1.25@sha256:4111111111111111e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934c",
  "commit 6469eb736d691e8e9b8a419a57edd6429ca77417",
  "trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7",
  'etag "d41d8cd98f00b204e9800998ecf8427e"',
  "2026-03-11 08:14:22.918273645 4222-2222",
  "at 2026-03-11T08:14:22.918273645Z took 4111.111111111111s",
  "tel 4111 1111 111",
  // Names with signs
  "pod payments-4111111111111111-abcde",
  "sk-web-server-deployment-7d9f8b6c5d-x2x4z",
  "disk-pressure task_queue risk-score",
  "java.lang.Object@1b2c3d4 Thread@5f3a",
  "git clone git@github.com:acme/engine.git",
  "npm install @types/node@20.19.43 left-pad@1.3.0",
  "getty@tty1.service user@1000.service",
  "icon@2x.png",
  "rabbit@node-1 and app@db",
  "postgres://app@db.example.com/app",
  "ssh://git@github.com/acme/engine.git",
  "http://db:5432/path@2 and http://host/a:b@c",
  "https://user:***@host/ and https://{user}:{password}@host/",
  "arn:aws:iam::123456789012:role/app",
  "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0pQz6b5xk2Y8nR3tVd7cF1hG4mL9sP",
  "eyJust a word, AKIA too short, ghp_short, xoxo-kiss",
  "authorization: failed, cookie: not found",
  "mismatch initial vnode bitmap: {:?}, expect: {:?}",
  "",
];

describe("redactText", () => {
  it("is shown at least 60 secrets and 60 that only look like some", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(60);
    expect(NEAR_SECRETS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(SECRETS)("masks %s", (marked) => {
    const text = marked.replaceAll(/[«»]/g, "");
    expect(redactText(text)).toBe(marked.replaceAll(/«[^»]*»/g, "***"));
  });

  it.each(NEAR_SECRETS)("leaves alone %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each(SECRETS)("has nothing more to mask in its own output: %s", (marked) => {
    const once = redactText(marked.replaceAll(/[«»]/g, ""));
    expect(redactText(once)).toBe(once);
  });

  it.each(SECRETS)("masks in the middle of a line: %s", (marked) => {
    const text = `2026-03-11T08:14:22Z ERROR app::db: [x] ${marked.replaceAll(/[«»]/g, "")}`;
    for (const [, secret] of marked.matchAll(/«([^»]*)»/g)) {
      expect(redactText(text)).not.toContain(secret);
    }
  });

  it("leaves addresses and cards when the operator wants them", () => {
    const text = "bob@example.com paid with 4111 1111 1111 1111, password=x1";
    const options = { ...REDACT_DEFAULTS, emails: false, cardNumbers: false };
    expect(redactText(text, options)).toBe(
      "bob@example.com paid with 4111 1111 1111 1111, password=***",
    );
  });

  it("runs the operator's own masks last", () => {
    const extra = [(text: string) => text.replaceAll("***", "###")];
    expect(redactText("password=x1", { ...REDACT_DEFAULTS, extra })).toBe("password=###");
  });
});
