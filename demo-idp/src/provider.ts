/** The dependencies of the simulated provider. It has no state of its own. */
export interface Provider {
  readonly settings: Settings;
  readonly keys: KeyStore;
  readonly codes: CodeStore;
  readonly clock: {
    /** Unix milliseconds. */
    now(): number;
  };
  readonly random: { bytes(size: number): Buffer };
}

export interface Settings {
  /** The URL of the provider's pages and documents, without a trailing slash. Also the OpenID issuer. */
  readonly baseUrl: string;
  /** The only SAML service provider: its entity id and the address that assertions are posted to. */
  readonly serviceProvider: { readonly entityId: string; readonly acsUrl: string };
  /** The only OpenID client. */
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
}

/** Keys for SAML assertions and for ID tokens. */
export type KeyUse = 'saml' | 'oidc';

export interface StoredKey {
  readonly id: string;
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

export interface KeyStore {
  /** The key that currently signs. */
  readonly currentId: string;
  /** All keys that are still trusted, oldest first. */
  list(use: KeyUse): Promise<readonly StoredKey[]>;
  /** Stores the current key. When another process has just stored one, that one is kept. */
  insert(use: KeyUse, privateKey: string): Promise<void>;
}

/** One-time authorization codes. */
export interface CodeStore {
  save(code: string, grant: string, expiresAt: Date): Promise<void>;
  /** Returns a code's grant at most once, and never after it has expired. */
  consume(code: string): Promise<string | undefined>;
}

/** The request is malformed, or names a client or a URL that is not configured. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  /** The query parameter. */
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}
