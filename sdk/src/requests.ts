import type { Health, Profile } from './generated/api.js';
import { type Environment, readOptions, type SvcOptions } from './transport/options.js';
import {
  type AnyInput,
  type Input,
  type OperationName,
  type Reply,
  type RequestOptions,
  Transport,
} from './transport/transport.js';

/** What sends the requests of a client. Its resources share it. */
export let transportOf: (client: SvcRequests) => Transport;

/**
 * Sends operations by their `operationId`, and has no methods for them. For pages that have to load quickly: bundled, it is half the size
 * of `Svc`.
 */
export class SvcRequests {
  readonly #transport: Transport;
  static {
    transportOf = (client) => client.#transport;
  }

  /** Sends nothing. @throws SvcError `invalid_options`, which names the option */
  constructor(options: SvcOptions) {
    this.#transport = new Transport(readOptions(options));
  }

  /** The service's address, without a trailing slash. */
  get baseUrl(): string {
    return this.#transport.settings.baseUrl;
  }

  /** The key's environment; undefined without a key. */
  get environment(): Environment | undefined {
    return this.#transport.settings.environment;
  }

  /** The service's time in Unix milliseconds, based on its last response. Use it for deadlines. */
  serverNow(): number {
    return this.#transport.serverNow();
  }

  /** The service's health. Needs no key. */
  getHealth(options?: RequestOptions): Promise<Health> {
    return this.#transport.call('getHealth', {}, options);
  }

  /** The name, accent color and logo of the company, for what you show people. Scope `devices:read`, or a device's session. */
  async getProfile(options?: RequestOptions): Promise<Profile> {
    return (await this.#transport.call('getProfile', {}, options)).profile;
  }

  /** Sends any operation by its `operationId`, for operations without a method. */
  request<O extends OperationName>(name: O, input: Input<O>, options?: RequestOptions): Promise<Reply<O>> {
    return this.#transport.call(name, input, options);
  }

  /** The same with headers of the request and of the response, such as `If-Match` and `ETag`. */
  async requestWithHeaders<O extends OperationName>(
    name: O,
    input: Input<O>,
    headers: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<{ headers: Headers; reply: Reply<O> }> {
    const received = await this.#transport.send(name, input as AnyInput, options, headers);
    return { headers: received.headers, reply: received.body as Reply<O> };
  }

  /** Downloads a public file by a path from the service, such as `getCircuitInfo().wasmPath`. */
  download(path: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.#transport.download(path, options);
  }
}
