// A survey from its draft to its report, with the types that were generated: node drive.js ADDRESS TOKEN.

import type { components, paths } from "./schema.js";

declare const process: { argv: string[] };
declare const crypto: { randomUUID(): string };

type Schemas = components["schemas"];
type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { "application/json": infer Sent } } };
}
  ? Sent
  : never;

const [address, token] = process.argv.slice(2);

async function call<Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer | Schemas["Problem"]> {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { Authorization: `Token ${token}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as Answer | Schemas["Problem"];
}

function good<Answer extends object>(found: Answer | Schemas["Problem"]): Answer {
  if ("detail" in found && "type" in found) throw new Error(JSON.stringify(found));
  return found as Answer;
}

const question: Schemas["Question"] = {
  key: "tax",
  kind: "yes-no",
  text: "Have you ever evaded taxes?",
  design: "two-coin",
};
const written: Schemas["SurveyInput"] = {
  title: "Taxes",
  contact: "Ada, ada@example.org",
  protection: "",
  questions: [question],
};
const refused = await call<Schemas["SurveyDetail"]>("POST", "/api/v1/surveys/", { title: "" });
const draft = good(await call<Schemas["SurveyDetail"]>("POST", "/api/v1/surveys/", written));
const at = `/api/v1/surveys/${draft.slug}/`;
const publish: Schemas["PublishPeople"] = { no_number: true };
const opened = good(await call<Schemas["SurveyDetail"]>("POST", `${at}publish/`, publish));
for (let sent = 0; sent < 40; sent += 1) {
  const body: Body<"/api/v1/surveys/{slug}/responses/"> = {
    instrument: opened.instrument ?? "",
    key: crypto.randomUUID(),
    reports: { tax: Math.floor(Math.random() * 2) },
  };
  good(await call<{ status: string }>("POST", `${at}responses/`, body));
}
const closed = good(await call<Schemas["SurveyDetail"]>("POST", `${at}close/`));
const report = good(await call<Schemas["Report"]>("GET", `${at}report/`));
console.log(
  JSON.stringify({ status: closed.status, n: report.n, questions: report.questions.map((each) => each.key), refused }),
);
