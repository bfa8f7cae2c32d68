import { useEffect } from 'react';
import { useStaffTexts } from '../language/staff';

const SHOWN_MS = 10_000;

/** Says for a while that the member can do nothing more here, because they may not have noticed. */
export function StaffOver({ onGone }: { readonly onGone: () => void }) {
  const { work: t } = useStaffTexts();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(() => {
    const timer = setTimeout(onGone, SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return <p role="status">{t.over}</p>;
}
