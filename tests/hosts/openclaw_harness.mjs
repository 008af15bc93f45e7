// Loads the plugin as OpenClaw does, with as much of OpenClaw's `api` as it uses, and runs what
// stands in the file named by the first argument: a list of steps; prints what each gave.
import { readFileSync } from "node:fs";
import plugin from "./plugin/index.js";

const { config, workspace, steps } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const hooks = {}, warnings = [];
let capability, makeTools, declared;
plugin.register({
  pluginConfig: config,
  config: {},
  logger: { warn: (text) => warnings.push(text) },
  runtime: { agent: { resolveAgentWorkspaceDir: () => workspace, resolveAgentDir: () => `${workspace}/../agent` } },
  registerMemoryCapability: (given) => (capability = given),
  registerTool: (make, { names }) => ((makeTools = make), (declared = names)),
  on: (name, handler) => (hooks[name] = handler),
});
const told = [];
for (const [kind, name, given = {}, ctx = {}] of steps) {
  const tools = () => makeTools({ workspaceDir: workspace, senderIsOwner: true, sessionKey: "agent:main:main", ...ctx });
  if (kind === "tool") {
    const tool = tools().find((one) => one.name === name);
    told.push(tool ? (await tool.execute("call", given)).details : null);
  } else if (kind === "tools") told.push(tools().map((one) => one.name));
  else if (kind === "declared") told.push({ declared, hooks: Object.keys(hooks), capability: Object.keys(capability) });
  else if (kind === "hook") told.push((await hooks[name](given, ctx)) ?? null);
  else if (kind === "plan") told.push(capability.flushPlanResolver(given));
  else if (kind === "prompt") told.push(capability.promptBuilder({ availableTools: new Set(given.tools) }));
}
console.log(JSON.stringify({ told, warnings }));
