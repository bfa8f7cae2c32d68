import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import style from './screen.module.css';

/** What a person should know before deciding, one line each. */
export const Points = ({ children }: { readonly children: ReactNode }) => (
  <ul className={style.points}>{children}</ul>
);
export const Point = ({
  icon: Icon,
  children,
}: {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) => (
  <li>
    <Icon size={20} aria-hidden="true" />
    <p>{children}</p>
  </li>
);
