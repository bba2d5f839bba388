// One file on its way through the API, part by part: begin, send, and once more from where it stopped.

/** What stopped it. canGoOn: whether trying again may help; problems: what is wrong in the file, row by row. */
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
    Object.assign(this, { address, file, size, token, tell, parts: 0, rows: 0, at: null, ending: new AbortController() });
  }

  async begin(mapping) {
    this.mapping = mapping;
    if (!this.at) {
      const made = await this.ask("POST", this.address, JSON.stringify({ mapping }), "application/json");
      this.at = `${this.address}${made.id}/`;
    }
  }

  /** After a failure: which parts have come. */
  async whereItIs() {
    if (!this.at) {
      return this.begin(this.mapping);
    }
    this.parts = (await this.ask("GET", this.at)).parts;
  }

  /** All parts that have not come yet, then the end; returns the finished import. */
  async send() {
    const all = Math.ceil(this.file.size / this.size);
    let now = null;
    while (this.parts < all) {
      const data = await this.read(this.parts * this.size);
      now = await this.ask("PUT", `${this.at}parts/${this.parts + 1}/`, data, "text/csv");
      this.parts = now.parts;
      this.tell(Math.min(this.parts * this.size, this.file.size), this.file.size, now.rows);
    }
    return this.ask("POST", `${this.at}finish/`, JSON.stringify({ parts: all }), "application/json");
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
