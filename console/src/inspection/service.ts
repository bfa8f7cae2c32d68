import type { Operations, SheetPage } from '@svc/sdk';
import { noteServerTime } from '../ui/server-time';

type Opened = Operations['openInspection']['reply'];
export type Inspection = Opened['inspection'];
export type FileFormat = 'csv' | 'xlsx' | 'svc-hours';

/** `refused`: the link, the code or the session is not accepted, or the inspection has ended. */
export type Fault = 'refused' | 'busy' | 'offline' | 'unexpected';

class InspectionError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}

export const faultOf = (error: unknown): Fault =>
  error instanceof InspectionError ? error.fault : 'unexpected';

const BASE = '/v1/attendance/inspections';
/** People of a request. */
const PAGE_SIZE = 100;

/** @throws InspectionError */
async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(BASE + path, { ...init, cache: 'no-store', credentials: 'omit' }).catch(
    () => undefined,
  );
  if (response === undefined) throw new InspectionError('offline');
  noteServerTime(response.headers.get('date'));
  if (response.ok) return response;
  throw new InspectionError(faultFor(response.status));
}

function faultFor(status: number): Fault {
  // 400: a token that is none.
  if (status === 404 || status === 400) return 'refused';
  if (status === 429) return 'busy';
  return status >= 500 ? 'offline' : 'unexpected';
}

/** Opens an inspection with what the link has after the #, and the code. @throws InspectionError */
export async function openInspection(token: string, code: string): Promise<Opened> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token, code });
  return (await (await send('/open', { method: 'POST', headers, body })).json()) as Opened;
}

/** What the session of an inspection reads. */
export class InspectionService {
  readonly #init: RequestInit;

  constructor(session: string) {
    this.#init = { headers: { 'x-inspection-token': session } };
  }

  /** @throws InspectionError */
  async current(): Promise<Inspection> {
    const reply = await (await send('/current', this.#init)).json();
    return (reply as { readonly inspection: Inspection }).inspection;
  }

  /** The sheets of a month, of all people. Each request is in the audit log. @throws InspectionError */
  async sheets(month: string): Promise<SheetPage> {
    const read = async (cursor?: string): Promise<SheetPage> => {
      const query = new URLSearchParams({ month, limit: String(PAGE_SIZE), ...(cursor && { cursor }) });
      return (await (await send(`/current/sheets?${query}`, this.#init)).json()) as SheetPage;
    };
    const first = await read();
    const sheets = [...first.sheets];
    for (let next = first.nextCursor; next !== null; ) {
      const page = await read(next);
      sheets.push(...page.sheets);
      next = page.nextCursor;
    }
    return { ...first, sheets };
  }

  /** A file of a month as it comes. @throws InspectionError */
  async open(month: string, format: FileFormat, more: { from?: string; signal?: AbortSignal } = {}) {
    const { from, signal } = more;
    const query = new URLSearchParams({ month, format, ...(from !== undefined && { from }) });
    return send(`/current/sheets?${query}`, { ...this.#init, ...(signal && { signal }) });
  }

  /** A file of a month. @throws InspectionError */
  async file(month: string, format: FileFormat): Promise<File> {
    const response = await this.open(month, format);
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    // A file that breaks off is not offered.
    const content = await response.blob().catch(() => {
      throw new InspectionError('offline');
    });
    return new File([content], name ?? `hours-${month}`, { type: content.type });
  }
}
