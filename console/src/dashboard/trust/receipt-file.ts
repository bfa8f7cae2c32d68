/** The approval that a file says it is of. Undefined if it is no receipt. What it says is checked later. */
export function approvalIdIn(text: string): string | undefined {
  try {
    const id = (JSON.parse(text) as { statement?: { approvalId?: unknown } } | null)?.statement?.approvalId;
    return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
