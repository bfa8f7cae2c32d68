import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from '../../../ui/layout/surface';
import style from './attention.module.css';

const ICONS = { plain: Info, good: Info, warn: TriangleAlert, bad: CircleAlert } as const;

/** One thing that needs somebody: a sentence, and what to do. Screen readers announce it when it appears. */
export function AttentionRow({
  tone = 'plain',
  action,
  children,
}: {
  readonly tone?: Tone;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const Icon = ICONS[tone];
  return (
    <li className={style.row} data-tone={tone}>
      <Icon className={style.mark} size={16} aria-hidden="true" />
      <div className={style.text} role={tone === 'bad' ? 'alert' : 'status'}>
        {children}
      </div>
      {action && <div className={style.action}>{action}</div>}
    </li>
  );
}
