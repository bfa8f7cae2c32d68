/** Where to go after a sign-in on this device, if the address is safe to open: https, or http on this machine. */
export function safeReturnUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url : undefined;
}
