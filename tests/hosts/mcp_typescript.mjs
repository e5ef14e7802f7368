// The loop of an agent through the TypeScript SDK's client. Arguments: a URL, or a command line.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [first, ...rest] = process.argv.slice(2);
const transport = first.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(first))
  : new StdioClientTransport({ command: first, args: rest, stderr: "inherit" });
const client = new Client({ name: "conformance", version: "1" });
await client.connect(transport);

const seen = { beats: [] };
const call = async (name, args, options) =>
  client.callTool({ name, arguments: args }, undefined, options);
const text = (result) => result.content.filter((part) => part.type === "text").map((part) => part.text).join("\n");

seen.server = client.getServerVersion().name;
seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
seen.written = text(await call("write_file", { path: "ts.html", content: "<title>TS</title><p>Hello" }));
seen.opened = text(await call("preview", { op: "open", path: "ts.html" }));
const shot = await call("preview", { op: "shot" });
seen.shot = shot.content.map((part) => [part.type, part.mimeType ?? ""]);
seen.png = Buffer.from(shot.content.at(-1).data, "base64").subarray(1, 4).toString();
seen.structured = shot.structuredContent.verdict;
const wait = { op: "act", actions: [{ type: "wait", ms: 20000 }] };
const stop = new AbortController();
const onprogress = (beat) => {
  seen.beats.push(beat.progress);
  stop.abort("enough");
};
const begun = Date.now();
await call("preview", wait, { signal: stop.signal, onprogress }).then(
  () => { seen.cancelled = false; },
  () => { seen.cancelled = true; },
);
seen.read = text(await call("preview", { op: "read" }));
seen.inTime = Date.now() - begun < 10000;
const refused = await call("read_file", { path: "\ud83d" }).catch((error) => ({ isError: true, thrown: String(error) }));
seen.refused = refused.isError;
seen.resources = (await client.listResources()).resources.map((resource) => resource.uri);
seen.resource = (await client.readResource({ uri: "workspace:///ts.html" })).contents[0].text;
await client.close();
console.log(JSON.stringify(seen));
