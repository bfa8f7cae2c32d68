/** All tabs share one cookie, so a login or logout in one tab applies to all. They tell each other the member’s ID. */
let channel: BroadcastChannel | undefined;

export function tabs(): BroadcastChannel {
  channel ??= new BroadcastChannel('console-session');
  return channel;
}

export const notifyTabs = (memberId: string | undefined): void => tabs().postMessage(memberId);
