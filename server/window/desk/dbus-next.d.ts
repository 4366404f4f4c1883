/** The two parts of the package `@particle/dbus-next` that are used: its wire and its messages. The whole of it costs three times the memory. */
declare module '@particle/dbus-next/lib/connection.js' {
  import type { Message } from '@particle/dbus-next/lib/message-type.js';

  export interface Connection {
    on(event: 'connect' | 'end', listener: () => void): this;
    on(event: 'error', listener: (error: unknown) => void): this;
    on(event: 'message', listener: (message: Message) => void): this;
    message(message: Message): void;
    readonly stream: { on(event: 'close', listener: () => void): unknown; destroy(): void };
  }

  // biome-ignore lint/style/noDefaultExport: the module is one function
  export default function createConnection(options: { readonly busAddress: string }): Connection;
}

declare module '@particle/dbus-next/lib/message-type.js' {
  export interface MessageFields {
    readonly type?: number;
    readonly flags?: number;
    readonly serial: number;
    readonly destination: string;
    readonly path: string;
    readonly interface: string;
    readonly member: string;
    readonly signature?: string;
    readonly body?: readonly unknown[];
  }

  export class Message {
    constructor(fields: MessageFields);
    readonly type: number;
    readonly replySerial: number;
    readonly path: string;
    readonly interface: string;
    readonly member: string;
    readonly errorName: string;
    readonly body: readonly unknown[];
  }

  const words: { readonly Message: typeof Message };
  // biome-ignore lint/style/noDefaultExport: as CommonJS comes to a module
  export default words;
}
