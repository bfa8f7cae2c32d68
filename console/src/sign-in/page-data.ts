import type { Brand } from '../ui/brand/company';

export interface Client {
  readonly name: string;
}

/** Where a form is sent, and the token that shows that it was this page. */
interface Target {
  readonly action: string;
  readonly xsrf: string;
}

export type Problem = 'unknown' | 'missing' | 'expired' | 'used' | 'aborted';

/** What the service writes into the page. Without it, the page is the sign-in of its address. */
export type PageData = { readonly brand?: Brand | undefined } & (
  | {
      readonly view: 'error';
      readonly error: string;
      readonly description?: string;
      readonly isSignOut?: boolean;
    }
  | ({
      readonly view: 'sign_out';
      readonly client?: Client;
      /** Where a browser that is new to a person gets less than a known one. */
      readonly account?: { readonly tenantId: string; readonly environment: 'live' | 'test' };
    } & Target)
  | { readonly view: 'signed_out'; readonly client?: Client }
  | ({ readonly view: 'device'; readonly problem?: Problem } & Target)
  | ({ readonly view: 'device_confirm'; readonly userCode: string; readonly client: Client } & Target)
  | { readonly view: 'device_done'; readonly client: Client }
);

const VIEWS: ReadonlySet<unknown> = new Set<PageData['view']>([
  'error',
  'sign_out',
  'signed_out',
  'device',
  'device_confirm',
  'device_done',
]);

/** Reads the data that the service wrote into `#page-data`. Returns undefined if there is none, or for a view that this page does not have. */
export function readPageData(text: string | null | undefined): PageData | undefined {
  try {
    const data: unknown = JSON.parse(text ?? '');
    return isObject(data) && VIEWS.has(data.view) ? (data as PageData) : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The sign-in of an address, `/sign-in/<uid>.<seal>`. Only the service reads the two parts. */
export const uidOf = (pathname: string): string | undefined =>
  /^\/sign-in\/([\w-]+\.[\w-]+)\/?$/.exec(pathname)?.[1];
