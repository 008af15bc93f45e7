// molt in OpenClaw: it owns the memory slot, or stands beside the memory that does. Every call starts
// the molt executable with a list of arguments, no shell, and has a time limit; whatever goes wrong
// with molt is told, never thrown to the host's conversation.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

const SHARED = /:(group|channel|thread|acp):|^(cron|hook):|:(cron|hook):/;
const SUBAGENT = /:subagent:/;
const TOOLS = ["memory_search", "memory_get", "memory_remember", "memory_forget"];
const WRITERS = ["write", "edit", "apply_patch"];
const NOTE = /^(MEMORY\.md|memory\/.+\.md)$/;
const QUARTER = 4;
const LONGEST_WORD = 30_000;

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
const choice = (values, description) => ({ type: "string", enum: values, description });
const REMEMBER = {
  text: text("What to keep, understandable on its own"),
  store: choice(["episodic", "semantic", "procedural", "core", "vault"], "episodic: what happened or was decided; semantic: a fact about a thing; procedural: steps; core: needed in every conversation; vault: only if the user asks"),
  type: choice(["decision", "fact", "preference", "task", "event", "emotion", "correction"], "Of an episode"),
  entity: text('What it is about: TYPE:LABEL, such as "person:Ada"'),
  tags: { type: "array", items: { type: "string" }, description: "A few words" },
  confidence: choice(["high", "medium", "low"], "high only if the user said it outright"),
  block: choice(["Identity", "Active Context", "Persona", "Critical Facts"], "Of core memory"),
  title: text("Of a procedure; a known one is refined"),
  supersedes: text("The id of the memory that this replaces, when something changed"),
  phrase: text("The user's words that asked for it"),
};
/** What the model filled in beside the words, as the JSON of `molt remember --route`; empty for nothing. */
function makeRoute({ text: words, phrase, entity, ...given }) {
  const fields = Object.entries(given).filter(([, value]) => (Array.isArray(value) ? value.length : value));
  const [type, ...label] = (entity ?? "").split(":");
  if (label.length) fields.push(["entities", [{ type: type.trim(), name: label.join(":").trim() }]]);
  return fields.length ? JSON.stringify({ ...Object.fromEntries(fields), summary: words }) : "";
}

/** The call that stores some words, and what it reads: a route is read item by item, so that a slip loses none of them. */
function rememberCall(params) {
  const route = params.text.length < LONGEST_WORD ? makeRoute(params) : "";
  const phrase = params.phrase ? [`--phrase=${params.phrase}`] : [];
  return route ? { args: ["remember", "--route=-", ...phrase, "--", params.text], input: route } : { args: ["remember", ...phrase, "-"], input: params.text };
}

const schema = (properties, required) => ({ type: "object", properties, required, additionalProperties: false });

/** What molt finds, in OpenClaw's words: { answer, failure, results }. */
async function search(molt, query, { limit, least, shared, sources, signal }) {
  const most = String(Math.max(1, Math.min(limit || 6, 50) | 0));
  const sure = least > 0 ? ["--min-score", String(Math.min(least, 1))] : [];
  const where = (shared ? ["memory"] : sources).flatMap((one) => ["--source", one]);
  const view = shared ? ["--audience", "group"] : [];
  const { answer, failure } = await run(molt, ["search", "--limit", most, ...where, ...sure, ...view, "-"], { input: query, signal });
  const results = (answer?.results ?? []).map((one) => ({ path: one.path, startLine: one.start_line, endLine: one.end_line, score: one.confidence, snippet: one.snippet, source: one.source === "sessions" ? "sessions" : "memory", citation: one.citation, id: one.id, date: one.date }));
  return { answer, failure, results };
}

/** Some lines of a file, or a memory by its id: { answer, failure }. */
function read(molt, path, { from, lines, signal }) {
  return run(molt, ["get", "--from", String(Math.max(1, from | 0)), "--lines", String(Math.max(0, lines | 0)), "--", path], { signal });
}

/** What the memory of others finds that OpenClaw has beside its own, such as a wiki. */
async function askOthers(ask) {
  try {
    const { listMemoryCorpusSupplements } = await import("openclaw/plugin-sdk/memory-core-host-runtime-core");
    const others = listMemoryCorpusSupplements().filter((one) => one.pluginId !== "molt");
    const asked = await Promise.allSettled(others.map(async ({ supplement }) => ask(supplement)));
    return { some: others.length > 0, found: asked.flatMap((one) => one.value ?? []) };
  } catch {
    return { some: false, found: [] };
  }
}

/** For the `memory_search` and `memory_get` of another memory: what molt has, with corpus "all". */
function makeSupplement(find) {
  const isShared = ({ agentSessionKey }) => SHARED.test(agentSessionKey ?? "");
  return {
    async search(asked) {
      const wanted = { limit: asked.maxResults, shared: isShared(asked), sources: ["memory", "extra"] };
      const { failure, results } = await search(find(asked.agentId), asked.query, wanted);
      // OpenClaw tells the agent which part of its memory did not answer.
      if (failure) throw new Error(failure);
      return results.map(({ date, ...one }) => ({ ...one, corpus: "molt", ...(date && { updatedAt: date }) }));
    },
    async get(asked) {
      if (isShared(asked)) return null;
      const { answer } = await read(find(asked.agentId), asked.lookup, { from: asked.fromLine, lines: asked.lineCount });
      return answer ? { corpus: "molt", path: answer.path, content: answer.text, fromLine: answer.start_line, lineCount: answer.end_line - answer.start_line + 1 } : null;
    },
  };
}

/** The tools of one agent in one conversation. Who is not its owner alone sees what is for others too. */
function makeTools(ctx, molt) {
  const key = ctx.sessionKey ?? "";
  const shared = SHARED.test(key) || ctx.senderIsOwner === false;
  const asker = { agentId: ctx.agentId, agentSessionKey: key, sandboxed: ctx.sandboxed === true };
  const tools = [
    {
      name: "memory_search",
      label: "Memory Search",
      description: "Search the agent's memory (MEMORY.md, memory/**/*.md, what is known of people and projects) by words and by meaning. Use it before answering about earlier work, decisions, dates, people, preferences or todos.",
      parameters: schema({ query: text("What to look for, in whole words"), maxResults: number("At most so many"), minScore: number("Only what is so sure, 0 to 1"), corpus: { type: "string", enum: ["memory", "wiki", "all", "sessions"] } }, ["query"]),
      async execute(_id, { query, maxResults, minScore, corpus }, signal) {
        const wide = corpus === "wiki" || corpus === "all";
        const others = wide ? await askOthers((one) => one.search({ query, maxResults, ...asker })) : { found: [] };
        if (corpus === "wiki") return tell({ results: others.found, ...(!others.some && { note: "there is no wiki; ask without `corpus`" }) });
        // AGENTS.md and the like stand in every prompt already.
        const sources = corpus === "sessions" ? ["sessions"] : corpus === "all" ? [] : ["memory", "extra"];
        const { answer, failure, results } = await search(molt, query, { limit: maxResults, least: minScore, shared, sources, signal });
        if (failure) return fail(failure, { results: others.found, disabled: true, unavailable: true });
        return tell({ results: [...results, ...others.found], provider: answer.provider, model: answer.model, backend: "molt", ...(answer.fallback && { fallback: answer.fallback }) });
      },
    },
    {
      name: "memory_get",
      label: "Memory Get",
      description: "Read a memory by the id or the path that memory_search gave, or some lines of the file.",
      parameters: schema({ path: text("Path, id or citation"), from: number("First line"), lines: number("How many lines") }, ["path"]),
      async execute(_id, { path, from, lines }, signal) {
        if (shared) return fail("in a conversation with others memory_search alone answers", { path, text: "" });
        const { answer, failure } = await read(molt, path, { from, lines, signal });
        if (answer) return tell({ path: answer.path, text: answer.text, from: answer.start_line, lines: answer.end_line - answer.start_line + 1 });
        const asked = { lookup: path, fromLine: from, lineCount: lines, ...asker };
        const [other] = (await askOthers((one) => one.get(asked))).found;
        return other ? tell({ path: other.path, text: other.content, from: other.fromLine, lines: other.lineCount }) : fail(failure, { path, text: "" });
      },
    },
  ];
  // What the workspace lies behind must not be written around.
  if (ctx.sandboxed) return tools;
  tools.push({
    name: "memory_remember",
    label: "Remember",
    description: "Keep one memory: a fact, decision, preference or event, in one or two whole sentences. Fill in what you know from the conversation. What a sub-agent, another person or a schedule says is proposed, and the owner decides.",
    parameters: schema(REMEMBER, ["text"]),
    async execute(_id, params, signal) {
      const doubtful = shared || SUBAGENT.test(key);
      const how = doubtful ? { actor: "subagent:openclaw" } : {};
      const { args, input } = doubtful ? { args: ["propose", "-"], input: params.text } : rememberCall(params);
      const { answer, failure } = await run(molt, args, { ...how, input, seconds: 25, signal });
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

/** The tools beside another memory's, whose names may be the same. */
const rename = (name) => name.replace(/^memory_/, "molt_");
const renameAll = (text) => TOOLS.reduce((said, one) => said.replaceAll(one, rename(one)), text);

/** What the agent is told of the tools that it has; nothing where it cannot search. */
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

    const make = (ctx) => makeTools(ctx, find(ctx.agentId, ctx.workspaceDir));
    if (api.config?.plugins?.slots?.memory === "molt") {
      api.registerMemoryCapability({ promptBuilder: promptLines, flushPlanResolver: planFlush, deterministicRecallToolName: "memory_search" });
      api.registerTool(make, { names: TOOLS });
    } else {
      const beside = (ctx) => make(ctx).map((tool) => ({ ...tool, name: rename(tool.name), label: `molt: ${tool.label}`, description: renameAll(tool.description) }));
      api.registerTool(beside, { names: TOOLS.map(rename) });
      api.registerMemoryPromptSupplement(({ availableTools: has }) => promptLines({ availableTools: new Set(TOOLS.filter((one) => has.has(rename(one)))) }).map(renameAll));
    }
    api.registerMemoryCorpusSupplement(makeSupplement(find));
    api.on("before_tool_call", async ({ toolName, params }, ctx) => {
      const ids = params?.ids;
      if (!["memory_forget", "molt_forget"].includes(toolName) || !ids?.length) return;
      const { answer } = await run(find(ctx?.agentId, ctx?.workspaceDir), ["forget", "--dry-run", ...ids.flatMap((one) => ["--id", one])], { actor: "bot:trigger-forget" });
      const rows = answer?.forgotten?.map((one) => `${one.id}: ${one.text} (${one.effect})`) ?? ids;
      const title = ids.length === 1 ? "Forget a memory" : `Forget ${ids.length} memories`;
      return { requireApproval: { title, description: rows.join("\n").slice(0, 500), severity: "warning", allowedDecisions: ["allow-once", "deny"] } };
    });
    // What the agent writes with OpenClaw's own tools, of files that were as committed before it did,
    // and has not committed by itself before a compaction or at the end, is committed in its name.
    // OpenClaw registers a plugin anew for a run of its own, as a flush is: they know it together.
    const written = (globalThis[Symbol.for("molt.written")] ??= new Map());
    const filesOf = ({ workspace }) => written.get(workspace) ?? written.set(workspace, new Map()).get(workspace);
    const listNotes = (event, ctx, workspace) => {
      const key = ctx?.sessionKey ?? "";
      if (!WRITERS.includes(event.toolName) || SHARED.test(key) || SUBAGENT.test(key)) return [];
      const paths = event.derivedPaths ?? [event.params?.path ?? event.params?.file_path];
      const files = paths.filter((one) => typeof one === "string").map((one) => relative(workspace, resolve(workspace, one)));
      return files.map((one) => one.replaceAll("\\", "/")).filter((one) => NOTE.test(one));
    };
    api.on("before_tool_call", async (event, ctx) => {
      const molt = find(ctx?.agentId, ctx?.workspaceDir);
      const known = filesOf(molt);
      for (const file of listNotes(event, ctx, molt.workspace).filter((one) => !known.has(one))) {
        const { answer } = await run(molt, ["adopt-changes", "--dry-run", "--", file]);
        if (answer && !answer.done.length && !answer.kept.length) known.set(file, false);
      }
    });
    api.on("after_tool_call", (event, ctx) => {
      if (event.error) return;
      const molt = find(ctx?.agentId, ctx?.workspaceDir);
      const known = filesOf(molt);
      for (const file of listNotes(event, ctx, molt.workspace)) if (known.has(file)) known.set(file, true);
    });
    const adopt = async (ctx) => {
      const molt = find(ctx?.agentId, ctx?.workspaceDir);
      const files = [...filesOf(molt)].filter(([, wrote]) => wrote).map(([file]) => file);
      filesOf(molt).clear();
      if (!files.length) return;
      const { answer, failure } = await run(molt, ["adopt-changes", "--", ...files], { seconds: 25 });
      const left = answer?.kept.map((one) => `${one.file}: ${one.why}`).join("; ") || failure;
      if (left) api.logger.warn(`molt: what the agent wrote: ${left}`);
    };
    api.on("session_start", (event, ctx) => tell("start", event, ctx, []));
    api.on("before_compaction", async (event, ctx) => {
      await adopt(ctx);
      await tell("flush", event, ctx, [...quiet(ctx), ...stored(event, ctx)]);
    });
    api.on("after_compaction", async (event, ctx) => {
      await adopt(ctx);
      await tell("start", event, ctx, ["--source", "compact"]);
    });
    api.on("session_end", async (event, ctx) => {
      await adopt(ctx);
      await tell("end", event, ctx, ["--reason", String(event?.reason ?? "")]);
    });
  },
});
