import { useEffect, useState } from 'react';
import { serverNow } from '../../ui/server-time';
import { codeEnd } from '../flow/code-end';
import type { Stage } from '../flow/stage';

/** Whether the code can't be scanned any more, because no stream brings its next one. */
export function useOutdated(stage: Stage): boolean {
  const shown = stage.at === 'waiting' && stage.link === 'asking' ? stage.session.qrPayload : undefined;
  const [outdated, setOutdated] = useState<string>();
  useEffect(() => {
    const end = shown && codeEnd(shown);
    if (!end) return;
    const timer = setTimeout(() => setOutdated(shown), Math.max(0, end - serverNow()));
    return () => clearTimeout(timer);
  }, [shown]);
  return shown !== undefined && shown === outdated;
}
