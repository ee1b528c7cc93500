/** What the tabs that use one lock tell each other, over a BroadcastChannel of its name. */
import * as z from 'zod/mini';

const messageSchema = z.object({
  type: z.enum(['ask', 'status', 'want', 'passed', 'refused']),
  from: z.string(),
  to: z.optional(z.string()),
  status: z.optional(z.unknown()),
});

export type TabMessage = z.infer<typeof messageSchema>;

export class TabChannel {
  /** Of this tab. */
  readonly id = crypto.randomUUID();
  readonly #name: string;
  #channel: BroadcastChannel | undefined;

  /** @param name seen by all pages of this origin */
  constructor(name: string) {
    this.#name = name;
  }

  open(onMessage: (message: TabMessage) => void): void {
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = z.safeParse(messageSchema, data);
      if (message.success && message.data.from !== this.id) onMessage(message.data);
    });
  }

  post(message: Omit<TabMessage, 'from'>): void {
    this.#channel?.postMessage({ ...message, from: this.id });
  }

  close(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }
}
