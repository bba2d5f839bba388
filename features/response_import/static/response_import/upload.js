// One file on its way through the API, part by part: begin, send, and once more from where it stopped. It counts only
// once someone adds it on the page that shows what it holds.

/**
 * What stopped it. canGoOn: whether trying again may help; problems: what is wrong in the file, row by row; codes: those
 * without a meaning, by question.
 */
export class Stopped extends Error {
  constructor(message, more = {}) {
    super(message);
    Object.assign(this, more);
  }
}

export class Upload {
  /**
   * address: of the survey's imports; size: bytes of a part; token() gives the one against
   * forged requests, which changes when somebody logs in again; tell(sent, all, rows) is called after every part.
   */
  constructor(address, file, size, token, tell) {
    Object.assign(this, { address, file, size, token, tell, at: null, ending: new AbortController() });
    this.all = Math.ceil(file.size / size);
  }

  async begin(mapping) {
    this.mapping = mapping;
    if (!this.at) {
      const body = JSON.stringify({ mapping, parts: this.all });
      this.now = await this.ask("POST", this.address, body, "application/json");
      this.at = `${this.address}${this.now.id}/`;
    }
  }

  /** After a failure: which parts have come. */
  async whereItIs() {
    if (!this.at) {
      return this.begin(this.mapping);
    }
    this.now = await this.ask("GET", this.at);
  }

  /** All parts that have not come yet; returns the import's id once all of it has come and is right. */
  async send() {
    while (this.now.parts < this.all) {
      const data = await this.read(this.now.parts * this.size);
      this.now = await this.ask("PUT", `${this.at}parts/${this.now.parts + 1}/`, data, "text/csv");
      this.tell(Math.min(this.now.parts * this.size, this.file.size), this.file.size, this.now.rows);
    }
    if (this.now.problems.length) {
      throw new Stopped("The file has problems.", this.now);
    }
    if (Object.keys(this.now.codes).length) {
      throw new Stopped("Some codes have no meaning yet.", { codes: this.now.codes });
    }
    return this.now.id;
  }

  async read(start) {
    try {
      return await this.file.slice(start, start + this.size).arrayBuffer();
    } catch {
      throw new Stopped("The file was changed or moved meanwhile. Cancel, then choose it again.", { canGoOn: false });
    }
  }

  async cancel() {
    this.ending.abort();
    this.ending = new AbortController();
    if (this.at) {
      await this.ask("DELETE", this.at).catch(() => null);
    }
  }

  /** One request. Throws Stopped with words for a person. */
  async ask(method, address, body, type) {
    const headers = { "X-CSRFToken": this.token(), Accept: "application/json", ...(type ? { "Content-Type": type } : {}) };
    let answer;
    try {
      answer = await fetch(address, { method, headers, body, signal: this.ending.signal });
    } catch (failed) {
      throw failed.name === "AbortError" ? failed : new Stopped("The site did not answer. Nothing is lost: try again.");
    }
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) {
      return said;
    }
    throw await this.stopped(answer.status, said);
  }

  async stopped(status, said) {
    if (said.codes) {
      return new Stopped(said.title, { codes: said.codes });
    }
    if (said.errors && this.at) {
      const now = await this.ask("GET", this.at);
      if (now.problems.length) {
        return new Stopped(said.title, { problems: now.problems, found: now.found });
      }
    }
    if (status === 401 || status === 403) {
      return new Stopped("You are logged out. Log in again in another tab, then try again here.");
    }
    if (status >= 500 || status === 429) {
      return new Stopped("The site is busy. Nothing is lost: try again in a moment.");
    }
    const why = Object.values(said.errors ?? {}).join(" ") || said.detail || said.title || "This failed.";
    return new Stopped(why, { canGoOn: status === 409 });
  }
}
