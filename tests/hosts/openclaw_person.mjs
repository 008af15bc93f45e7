// A person at a gateway of OpenClaw: says one thing after another, each when the last is answered,
// and decides on what is asked meanwhile. Arguments: the package, the gateway's address and token,
// and JSON of what is said and of the decision. Prints what was answered, and what was asked.
const [root, url, token, given] = process.argv.slice(2);
const { GatewayClient } = await import(`${root}/dist/plugin-sdk/gateway-runtime.js`);
const { says, decision } = JSON.parse(given);
const asked = [], answers = [];
const waiting = new Map();

async function hear({ event, payload }) {
  if (event === "chat" && ["final", "error", "aborted"].includes(payload.state)) {
    const { content } = payload.message ?? {};
    const words = [content ?? payload.errorMessage ?? ""].flat().map((one) => one.text ?? one);
    waiting.get(payload.runId)?.(words.join(""));
  } else if (event === "plugin.approval.requested") {
    asked.push({ title: payload.request.title, description: payload.request.description });
    await client.request("plugin.approval.resolve", { id: payload.id, decision });
  }
}

let client;
await new Promise((ready, broken) => {
  client = new GatewayClient({
    url, token, onEvent: hear, onHelloOk: ready, onConnectError: broken, deviceIdentity: null,
    clientName: "gateway-client", mode: "backend", caps: ["approvals"],
    scopes: ["operator.admin", "operator.read", "operator.write", "operator.approvals"],
  });
  client.start();
});
for (const [number, message] of says.entries()) {
  const runId = `said-${process.pid}-${number}`;
  const answered = new Promise((done) => waiting.set(runId, done));
  await client.request("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
  answers.push(await answered);
}
console.log(JSON.stringify({ answers, asked }));
client.stop();
process.exit(0);
