// Hands edits, and the end of a turn, to `obelus hook opencode`, and tells the agent what it says.
// Written by `obelus hook install --agent opencode`.
import { spawn } from "node:child_process";

const EDITS = new Set(["edit", "write", "multiedit", "patch", "apply_patch"]);

function ask(cwd, event) {
  return new Promise((resolve) => {
    const failed = (why) =>
      resolve({ failed: `obelus: harness error: ${why}\nThe code was not checked, so nothing is known about it. Tell the user.` });
    const child = spawn("obelus", ["hook", "opencode"], { cwd, stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.on("error", (error) => failed(`obelus can't be run: ${error.message}`));
    child.on("close", (code) => {
      try {
        if (code !== 0) return failed(`exit status ${code}: ${err.trim()}`);
        resolve(JSON.parse(out));
      } catch (error) {
        failed(`its answer is no JSON: ${error.message}`);
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ cwd, ...event }));
  });
}

export const Obelus = async ({ client, directory }) => {
  // Sessions that were sent on once, and have not ended well since.
  const again = new Set();
  return {
    "tool.execute.after": async (input, output) => {
      if (!EDITS.has(input.tool)) return;
      const answer = await ask(directory, { hook_event_name: "tool.execute.after", tool: input.tool });
      const text = answer.append ?? answer.failed;
      if (text) output.output = `${output.output ?? ""}\n${text}`;
    },
    event: async ({ event }) => {
      if (event.type !== "session.idle") return;
      const id = event.properties.sessionID;
      const answer = await ask(directory, { hook_event_name: "session.idle", stop_hook_active: again.has(id) });
      const text = answer.prompt ?? (again.has(id) ? undefined : answer.failed);
      if (text) {
        again.add(id);
        await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text }] } });
        return;
      }
      again.delete(id);
      const say = answer.say ?? answer.failed;
      if (say) await client.app.log({ body: { service: "obelus", level: "error", message: say } });
    },
  };
};
