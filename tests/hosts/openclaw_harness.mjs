// Loads the plugin as OpenClaw does, with as much of OpenClaw's `api` as it uses, and runs what
// stands in the file named by the first argument: a list of steps; prints what each gave.
import { readFileSync, writeFileSync } from "node:fs";
import plugin from "./plugin/index.js";

const { config, slot, others = [], workspace, steps } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const hooks = {}, warnings = [];
let capability = {}, makeTools, declared, supplement, lines;
plugin.register({
  pluginConfig: config,
  config: { plugins: { slots: { memory: slot ?? "molt" } } },
  logger: { warn: (text) => warnings.push(text) },
  runtime: { agent: { resolveAgentWorkspaceDir: () => workspace, resolveAgentDir: () => `${workspace}/../agent` } },
  registerMemoryCorpusSupplement: (given) => (supplement = given),
  registerMemoryPromptSupplement: (given) => (lines = given),
  registerMemoryCapability: (given) => (capability = given),
  registerTool: (make, { names }) => ((makeTools = make), (declared = names)),
  on: (name, handler) => (hooks[name] = [...(hooks[name] ?? []), handler]),
});
globalThis.supplements = [{ pluginId: "molt", supplement }, ...others.map((results) => ({ pluginId: "wiki", supplement: { search: async () => results, get: async ({ lookup }) => results.find((one) => one.path === lookup) ?? null } }))];
const told = [];
for (const [kind, name, given = {}, ctx = {}] of steps) {
  const tools = () => makeTools({ workspaceDir: workspace, senderIsOwner: true, sessionKey: "agent:main:main", ...ctx });
  if (kind === "tool") {
    const tool = tools().find((one) => one.name === name);
    told.push(tool ? (await tool.execute("call", given)).details : null);
  } else if (kind === "tools") told.push(tools().map((one) => one.name));
  else if (kind === "declared") told.push({ declared, hooks: Object.keys(hooks), capability: Object.keys(capability) });
  else if (kind === "hook") {
    const answers = [];
    for (const handler of hooks[name]) answers.push(await handler(given, ctx));
    told.push(answers.find(Boolean) ?? null);
  } else if (kind === "write") told.push(writeFileSync(`${workspace}/${name}`, given.text, { flag: "a" }) ?? null);
  else if (kind === "plan") told.push(capability.flushPlanResolver(given));
  else if (kind === "prompt") told.push((capability.promptBuilder ?? lines)({ availableTools: new Set(given.tools) }));
  else if (kind === "supplement") told.push(await supplement[name](given).catch((error) => ({ thrown: error.message })));
}
console.log(JSON.stringify({ told, warnings }));
