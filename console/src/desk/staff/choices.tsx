import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import style from './staff.module.css';

/** Rows to choose from, each as wide as the list. */
export const Choices = ({ label, children }: { readonly label?: string; readonly children: ReactNode }) => (
  <ul className={style.choices} aria-label={label}>
    {children}
  </ul>
);

export const Choice = ({
  icon,
  name,
  about,
  busy = false,
  onChoose,
}: {
  readonly icon?: ReactNode;
  readonly name: ReactNode;
  readonly about?: ReactNode;
  readonly busy?: boolean;
  readonly onChoose: () => void;
}) => (
  <li>
    <button
      type="button"
      className={style.choice}
      aria-disabled={busy || undefined}
      onClick={() => busy || onChoose()}
    >
      {icon && <span className={style.icon}>{icon}</span>}
      <span className={style.text}>
        <strong>{name}</strong>
        {about && <span>{about}</span>}
      </span>
      <ChevronRight size={22} aria-hidden="true" />
    </button>
  </li>
);
