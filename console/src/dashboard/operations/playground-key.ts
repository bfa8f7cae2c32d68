const PLACE = 'playground-key';
const TEST_PREFIX = 'svc_test_';

/** Why a key can't be used here; undefined if it can, or if there is none yet. */
export function faultOfKey(key: string): string | undefined {
  if (key === '' || /^svc_test_[\x21-\x7E]+$/.test(key)) return undefined;
  if (key.startsWith('svc_live_'))
    return 'This is a live key. Use a test key: requests from here only run on test data.';
  return `This is not a test key. Test keys begin with ${TEST_PREFIX}.`;
}

export const isTestKey = (key: string): boolean => key !== '' && faultOfKey(key) === undefined;

/** The key of this tab and account. The browser deletes it with the tab, and logging in deletes it as well. */
export function storedKey(tenantId: string): string {
  const stored = sessionStorage.getItem(PLACE);
  const [owner, key = ''] = stored?.split(' ') ?? [];
  return owner === tenantId ? key : '';
}

/** Stores a test key. Any other text is not stored. */
export function storeKey(tenantId: string, key: string): void {
  if (isTestKey(key)) sessionStorage.setItem(PLACE, `${tenantId} ${key}`);
  else forgetKey();
}

export const forgetKey = (): void => sessionStorage.removeItem(PLACE);
