// molt in OpenClaw: it owns the memory slot. Every call starts the molt executable with a list of
// arguments, no shell, and has a time limit; whatever goes wrong with molt is told, never thrown.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

const SHARED = /:(group|channel|thread|acp):|^(cron|hook):|:(cron|hook):/;
const SUBAGENT = /:subagent:/;
const QUARTER = 4;

/** What molt answers as { answer }, or { failure } in words; `input` is what it reads. */
function run(molt, args, { actor, input = "", seconds = 15, signal } = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, MOLT_ACTOR: actor ?? "bot:openclaw", NO_COLOR: "1" };
    const limits = { timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: 16 << 20 };
    const argv = ["--workspace", molt.workspace, "--json", ...args];
    // A process that molt left behind may hold the pipe open for longer than molt lives.
    const late = setTimeout(() => resolve({ failure: `molt took more than ${seconds} s` }), seconds * 1000 + 500);
    try {
      const options = { ...limits, env, cwd: molt.workspace, windowsHide: true, signal };
      const child = execFile(molt.command, argv, options, (error, out, err) => {
        clearTimeout(late);
        try {
          const answer = JSON.parse(out);
          const { error: said, matches } = answer;
          resolve(said && !matches ? { failure: [said.message, said.hint].filter(Boolean).join("; ") } : { answer });
        } catch {
          resolve({ failure: `molt gave no answer: ${err.trim() || error?.message || "it said nothing"}` });
        }
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    } catch (error) {
      clearTimeout(late);
      resolve({ failure: `molt cannot be started: ${error?.message ?? error}` });
    }
  });
}

const tell = (payload) => ({ content: [{ type: "text", text: JSON.stringify(payload, null, 1) }], details: payload });
const fail = (error, more = {}) => tell({ ...more, error });
const text = (description) => ({ type: "string", description });
const number = (description) => ({ type: "number", description });
const schema = (properties, required) => ({ type: "object", properties, required, additionalProperties: false });

/** The tools of one agent in one conversation. Who is not its owner alone sees what is for others too. */
function makeTools(ctx, molt) {
  const key = ctx.sessionKey ?? "";
  const shared = SHARED.test(key) || ctx.senderIsOwner === false;
  const view = shared ? ["--audience", "group"] : [];
  const tools = [
    {
      name: "memory_search",
      label: "Memory Search",
      description: "Search the agent's memory (MEMORY.md, memory/**/*.md, what is known of people and projects) by words and by meaning. Use it before answering about earlier work, decisions, dates, people, preferences or todos.",
      parameters: schema({ query: text("What to look for, in whole words"), maxResults: number("At most so many"), minScore: number("Only what is so sure, 0 to 1"), corpus: { type: "string", enum: ["memory", "wiki", "all", "sessions"] } }, ["query"]),
      async execute(_id, { query, maxResults, minScore, corpus }, signal) {
        if (corpus === "wiki") return tell({ results: [], note: "molt has no wiki; ask without `corpus`" });
        // AGENTS.md and the like stand in every prompt already.
        const named = shared ? ["memory"] : corpus === "sessions" ? ["sessions"] : corpus === "all" ? [] : ["memory", "extra"];
        const source = named.flatMap((one) => ["--source", one]);
        const least = minScore > 0 ? ["--min-score", String(Math.min(minScore, 1))] : [];
        const args = ["search", "--limit", String(Math.max(1, Math.min(maxResults || 6, 50) | 0)), ...source, ...least, ...view, "-"];
        const { answer, failure } = await run(molt, args, { input: query, signal });
        if (failure) return fail(failure, { results: [], disabled: true, unavailable: true });
        const results = answer.results.map((one) => ({ path: one.path, startLine: one.start_line, endLine: one.end_line, score: one.confidence, snippet: one.snippet, source: one.source === "sessions" ? "sessions" : "memory", citation: one.citation, id: one.id, date: one.date }));
        return tell({ results, provider: answer.provider, model: answer.model, backend: "molt", ...(answer.fallback && { fallback: answer.fallback }) });
      },
    },
    {
      name: "memory_get",
      label: "Memory Get",
      description: "Read a memory by the id or the path that memory_search gave, or some lines of the file.",
      parameters: schema({ path: text("Path, id or citation"), from: number("First line"), lines: number("How many lines") }, ["path"]),
      async execute(_id, { path, from, lines }, signal) {
        if (shared) return fail("in a conversation with others memory_search alone answers", { path, text: "" });
        const args = ["get", "--from", String(Math.max(1, from | 0)), "--lines", String(Math.max(0, lines | 0)), "--", path];
        const { answer, failure } = await run(molt, args, { signal });
        return failure ? fail(failure, { path, text: "" }) : tell({ path: answer.path, text: answer.text, from: answer.start_line, lines: answer.end_line - answer.start_line + 1 });
      },
    },
  ];
  // What the workspace lies behind must not be written around.
  if (ctx.sandboxed) return tools;
  tools.push({
    name: "memory_remember",
    label: "Remember",
    description: "Keep one memory: a fact, decision, preference or event, in one or two whole sentences. What a sub-agent, another person or a schedule says is proposed, and the owner decides.",
    parameters: schema({ text: text("What to keep, understandable on its own") }, ["text"]),
    async execute(_id, params, signal) {
      const doubtful = shared || SUBAGENT.test(key);
      const how = doubtful ? { actor: "subagent:openclaw" } : {};
      const { answer, failure } = await run(molt, [doubtful ? "propose" : "remember", "-"], { ...how, input: params.text, seconds: 25, signal });
      return failure ? fail(failure) : tell(answer);
    },
  });
  if (shared || SUBAGENT.test(key)) return tools;
  tools.push({
    name: "memory_forget",
    label: "Forget",
    description: "With `what`: list the memories that say it; nothing is changed. Show them to the user and ask. With `ids` of what the user chose: forget them; the user is asked for leave once more.",
    parameters: schema({ what: text("What is to be forgotten"), ids: { type: "array", items: { type: "string" }, description: "Ids from the list, chosen by the user" } }, []),
    async execute(_id, { what, ids }, signal) {
      const chosen = (ids ?? []).flatMap((one) => ["--id", one]);
      const call = chosen.length
        ? run(molt, ["forget", "--yes", ...chosen], { actor: "bot:trigger-forget", seconds: 25, signal })
        : run(molt, ["forget", "--", what ?? ""], { signal });
      const { answer, failure } = await call;
      if (failure) return fail(failure);
      const next = "Show these to the user and ask which; then call memory_forget with their ids.";
      return tell(answer.matches ? { matches: answer.matches, elsewhere: answer.elsewhere, next } : answer);
    },
  });
  return tools;
}

function promptLines({ availableTools: has }) {
  return [
    ...(has.has("memory_search") ? ["## Memory", "Memory is kept by molt. Before you answer about earlier work, decisions, dates, people, preferences or todos: memory_search, then memory_get for the lines that you need. If nothing is sure, say that you looked."] : []),
    ...(has.has("memory_remember") ? ["When the user asks you to remember something, or decides or prefers something that will matter later: memory_remember, once, in a whole sentence."] : []),
    ...(has.has("memory_forget") ? ["When the user wants something forgotten: memory_forget with `what`, show the list and ask, then memory_forget with the `ids` that the user chose."] : []),
    "",
  ].slice(0, has.has("memory_search") ? undefined : 0);
}

function readBytes(given) {
  const found = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(String(given ?? "2mb").trim());
  return found ? Math.floor(found[1] * 1024 ** " kmg".indexOf(found[2].toLowerCase() || " ")) : 2 << 20;
}

/** When OpenClaw has the agent write down what matters before a compaction, and with which words. */
function planFlush({ cfg, nowMs, contextWindowTokens }) {
  const defaults = cfg?.agents?.defaults ?? {};
  const flush = defaults.compaction?.memoryFlush ?? {};
  if (flush.enabled === false) return null;
  const window = contextWindowTokens > 0 ? Math.floor(contextWindowTokens) : Infinity;
  const reserve = Math.min(20_000, Math.floor(window / QUARTER));
  const soft = flush.softThresholdTokens >= 0 ? Math.floor(flush.softThresholdTokens) : 4_000;
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: defaults.userTimezone || undefined }).format(nowMs ?? Date.now());
  const path = `memory/${day}.md`;
  const rules = `Store durable memories only in ${path} (create memory/ if needed). If ${path} already exists, APPEND new content only and do not overwrite existing entries. Treat MEMORY.md, DREAMS.md, SOUL.md, AGENTS.md and all other files as read-only during this flush. One fact, decision or preference a line, understandable on its own; molt indexes them.`;
  return {
    softThresholdTokens: Math.min(soft, Math.floor((window - reserve) / 2)),
    forceFlushTranscriptBytes: readBytes(flush.forceFlushTranscriptBytes),
    reserveTokensFloor: reserve,
    ...(flush.model?.trim() && { model: flush.model.trim() }),
    prompt: `Pre-compaction memory flush. ${rules} If nothing to store, reply with NO_REPLY.`,
    systemPrompt: `Pre-compaction memory flush turn. The session is near auto-compaction; capture durable memories to disk. ${rules} You may reply, but usually NO_REPLY is correct.`,
    relativePath: path,
  };
}

export default definePluginEntry({
  id: "molt",
  name: "Molt memory",
  description: "Memory as a git repository of Markdown",
  register(api) {
    const command = api.pluginConfig?.command || "molt";
    const find = (agent, folder) => ({ command, workspace: folder || api.runtime.agent.resolveAgentWorkspaceDir(api.runtime.config?.current?.() ?? api.config, agent ?? "main") });
    const tell = async (moment, event, ctx, args) => {
      const session = ctx?.sessionId ?? event?.sessionId;
      if (!session || SUBAGENT.test(ctx?.sessionKey ?? "")) return;
      const molt = find(ctx?.agentId, ctx?.workspaceDir);
      const { failure } = await run(molt, ["session", moment, "--session", session, ...args], { seconds: 25 });
      if (failure) api.logger.warn(`molt: session ${moment}: ${failure}`);
    };
    const quiet = (ctx) => (["heartbeat", "cron"].includes(ctx?.trigger) || SHARED.test(ctx?.sessionKey ?? "") ? ["--heartbeat"] : []);

    // Where OpenClaw keeps the conversation: what the user said there and no memory says is proposed.
    const stored = (event, ctx) => {
      try {
        const folder = api.runtime.agent.resolveAgentDir(api.runtime.config?.current?.() ?? api.config, ctx?.agentId ?? "main");
        const found = [join(folder, "openclaw-agent.sqlite"), event?.sessionFile].find((one) => one && existsSync(one));
        return found ? ["--transcript", found] : [];
      } catch {
        return [];
      }
    };

    api.registerMemoryCapability({ promptBuilder: promptLines, flushPlanResolver: planFlush, deterministicRecallToolName: "memory_search" });
    api.registerTool((ctx) => makeTools(ctx, find(ctx.agentId, ctx.workspaceDir)), { names: ["memory_search", "memory_get", "memory_remember", "memory_forget"] });
    api.on("before_tool_call", ({ toolName, params }) => {
      if (toolName !== "memory_forget" || !params?.ids?.length) return;
      return { requireApproval: { title: `Forget ${params.ids.length} memories`, description: params.ids.join("\n").slice(0, 500), severity: "warning", allowedDecisions: ["allow-once", "deny"] } };
    });
    api.on("session_start", (event, ctx) => tell("start", event, ctx, []));
    api.on("before_compaction", (event, ctx) => tell("flush", event, ctx, [...quiet(ctx), ...stored(event, ctx)]));
    api.on("after_compaction", (event, ctx) => tell("start", event, ctx, ["--source", "compact"]));
    api.on("session_end", (event, ctx) => tell("end", event, ctx, ["--reason", String(event?.reason ?? "")]));
  },
});
