import { createContext, type ReactNode, useContext } from 'react';
import { Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import style from './needs.module.css';
import { hasRole, type Need, type Role } from './roles';

/** The role of the member who is logged in. The service decides what it allows; pages only leave out what it would reject. */
export const RoleContext = createContext<Role>('auditor');

export const useRole = (): Role => useContext(RoleContext);

/** Whether the member who is logged in may do what needs this role. */
export const useCan = (role: Need): boolean => hasRole(useRole(), role);

interface ForRole {
  /** The least role that is enough. */
  readonly least: Need;
  readonly children: ReactNode;
}

/** Shows its children only to members who have the role. */
export const Needs = ({ least, children }: ForRole) => useCan(least) && children;

/** A form that others can read but not change. */
export function EditableBy({ least, children }: ForRole) {
  if (useCan(least)) return children;
  return (
    <Stack>
      <Notice>{WHO[least]} can change this.</Notice>
      <fieldset className={style.fixed} disabled>
        {children}
      </fieldset>
    </Stack>
  );
}

const WHO: Readonly<Record<Need, string>> = {
  owner: 'Only owners',
  developer: 'Only developers and owners',
  reception: 'Only reception, developers and owners',
  auditor: 'Only auditors, developers and owners',
  member: 'Every member',
};
