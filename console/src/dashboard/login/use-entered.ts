import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { notifyTabs } from '../session';

/** Opens a page after this browser was logged in as a member. */
export function useEntered(next: string): (memberId: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (memberId) => {
    notifyTabs(memberId);
    queries.clear();
    await navigate(next, { replace: true });
  };
}
