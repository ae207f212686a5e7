type Ids = { publicUrl: string; tenantId: string; siteId: string };

/** Returns examples of how a CMS sends a story, in several languages. They read the API key from the environment. */
export function examplesOf(ids: Ids): { name: string; code: string }[] {
  return [
    { name: "curl", code: curl(ids) },
    { name: "Node.js", code: node(ids) },
    { name: "PHP", code: php(ids) },
    { name: "Python", code: python(ids) },
  ];
}

const curl = ({ publicUrl, tenantId, siteId }: Ids) => `CAMPAIGN=$(curl -sS --fail-with-body \\
  "${publicUrl}/v1/tenants/${tenantId}/campaigns" \\
  -H "Authorization: Bearer $PRESSBELL_KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: story-4711" \\
  -d '{ "siteId": "${siteId}", "url": "https://news.example/story" }' | jq -r .campaignId)

curl -sS --fail-with-body -X POST "${publicUrl}/v1/campaigns/$CAMPAIGN/send" \\
  -H "Authorization: Bearer $PRESSBELL_KEY" -H "Idempotency-Key: story-4711"`;

const node = ({ publicUrl, tenantId, siteId }: Ids) => `const post = async (path, body) => {
  const answer = await fetch("${publicUrl}" + path, {
    method: "POST",
    headers: {
      authorization: \`Bearer \${process.env.PRESSBELL_KEY}\`,
      "content-type": "application/json",
      "idempotency-key": "story-4711",
    },
    body: JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(\`\${json.code}: \${json.message} (\${json.requestId})\`);
  return json;
};

const { campaignId, status } = await post("/v1/tenants/${tenantId}/campaigns", {
  siteId: "${siteId}",
  url: "https://news.example/story",
});
if (status === "draft") await post(\`/v1/campaigns/\${campaignId}/send\`, {});`;

const php = ({ publicUrl, tenantId, siteId }: Ids) => `<?php
function pressbell(string $path, ?array $body = null): array {
    $curl = curl_init("${publicUrl}" . $path);
    curl_setopt_array($curl, [
        CURLOPT_POST => true,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => [
            "Authorization: Bearer " . getenv("PRESSBELL_KEY"),
            "Content-Type: application/json",
            "Idempotency-Key: story-4711",
        ],
        CURLOPT_POSTFIELDS => json_encode($body ?? new stdClass()),
    ]);
    $json = json_decode(curl_exec($curl), true);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new RuntimeException($json["message"]);
    }
    return $json;
}

$campaign = pressbell("/v1/tenants/${tenantId}/campaigns", [
    "siteId" => "${siteId}",
    "url" => "https://news.example/story",
]);
if ($campaign["status"] === "draft") {
    pressbell("/v1/campaigns/{$campaign["campaignId"]}/send");
}`;

const python = ({ publicUrl, tenantId, siteId }: Ids) => `import os, requests

session = requests.Session()
session.headers.update({
    "Authorization": f"Bearer {os.environ['PRESSBELL_KEY']}",
    "Idempotency-Key": "story-4711",
})

def post(path, body):
    answer = session.post("${publicUrl}" + path, json=body, timeout=20)
    answer.raise_for_status()
    return answer.json()

campaign = post("/v1/tenants/${tenantId}/campaigns", {
    "siteId": "${siteId}",
    "url": "https://news.example/story",
})
if campaign["status"] == "draft":
    post(f"/v1/campaigns/{campaign['campaignId']}/send", {})`;

/** The planned format of the CMS webhook. */
export const webhookPayload = (siteId: string) => `POST /ingest/sites/${siteId}
Content-Type: application/json
X-Pressbell-Timestamp: 1893456000
X-Pressbell-Signature: v1=HMAC_SHA256(secret, timestamp + "." + body)

{
  "event": "story.published",
  "url": "https://news.example/story",
  "externalId": "4711",
  "title": "Bridge opens on Saturday",
  "body": "What is known of it so far.",
  "imageUrl": "https://news.example/bridge.jpg",
  "topicIds": []
}`;
