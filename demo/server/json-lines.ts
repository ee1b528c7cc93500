/** An append-only file of JSON lines that several processes of one host may share; every row is on disk when it counts. */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { withFileLock } from './file-lock.ts';

const NEWLINE = 0x0a;

export class JsonLines<T> {
  readonly #path: string;
  readonly #row: z.ZodMiniType<T>;
  readonly #see: (row: T) => void;
  /** Bytes read so far: everything up to the end of the last whole line. */
  #read = 0;
  #opening: Promise<FileHandle> | undefined;

  /** `see` is told every row once, in the order of the file, whoever wrote it. */
  constructor(path: string, row: z.ZodMiniType<T>, see: (row: T) => void) {
    this.#path = resolve(path);
    this.#row = row;
    this.#see = see;
  }

  /** Reads what others have written meanwhile. */
  async refresh(): Promise<void> {
    await this.#alone(() => this.#catchUp());
  }

  /** Decides on all rows there are, with nobody else writing, and adds the row decided on. */
  async update<R>(decide: () => { readonly row?: T | undefined; readonly result: R }): Promise<R> {
    return this.#alone(async () => {
      await this.#catchUp();
      const { row, result } = decide();
      if (row !== undefined) await this.#append(row);
      return result;
    });
  }

  async close(): Promise<void> {
    const file = await this.#opening;
    this.#opening = undefined;
    await file?.close();
  }

  async #alone<R>(work: () => Promise<R>): Promise<R> {
    await mkdir(dirname(this.#path), { recursive: true });
    return withFileLock(`${this.#path}.lock`, work);
  }

  #file(): Promise<FileHandle> {
    // `a+` writes at the end, wherever that is by then.
    this.#opening ??= open(this.#path, 'a+', 0o600);
    return this.#opening;
  }

  async #append(row: T): Promise<void> {
    const file = await this.#file();
    await file.appendFile(`${JSON.stringify(row)}\n`);
    await file.datasync();
    await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    const file = await this.#file();
    const { size } = await file.stat();
    if (size < this.#read) throw new Error(`${this.#path} has become shorter.`);
    const news = Buffer.alloc(size - this.#read);
    await file.read(news, 0, news.length, this.#read);
    const end = news.lastIndexOf(NEWLINE) + 1;
    for (const line of news.subarray(0, end).toString('utf8').split('\n')) {
      if (line !== '') this.#see(this.#row.parse(JSON.parse(line)));
    }
    this.#read += end;
    // Somebody died while writing: that row never counted, since nothing was done on the strength of it.
    if (end < news.length) await file.truncate(this.#read);
  }
}
