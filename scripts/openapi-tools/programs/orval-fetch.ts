let settings = { baseUrl: '', key: '' };

/** What the generated client sends its requests to, and with which API key. */
export function configure(baseUrl: string, key: string): void {
  settings = { baseUrl, key };
}

/** The `fetch` that orval's client calls: with the server's address and the key. */
export async function svcFetch<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  headers.set('Authorization', `Bearer ${settings.key}`);
  const response = await fetch(settings.baseUrl + path, { ...options, headers });
  return { status: response.status, data: await response.json(), headers: response.headers } as T;
}
