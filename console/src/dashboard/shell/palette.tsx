import { Command } from 'cmdk';
import { BookOpen, KeyRound, type LucideIcon, ScanLine, Smartphone } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../../ui/forms/dialog';
import type { Environment } from '../api';
import { PAGES } from '../pages';
import style from './palette.module.css';
import { pathTo } from './path';

interface Action {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Without the environment, for a page of an environment. */
  readonly to: string;
}

const ACTIONS: readonly Action[] = [
  { name: 'Register a person', icon: ScanLine, to: 'registrations' },
  { name: 'Add a device', icon: Smartphone, to: 'devices' },
  { name: 'Create an API key', icon: KeyRound, to: '/account/keys' },
];

/** Finds pages and actions by their names. The arrow keys choose, Enter opens. */
export function Palette({
  environment,
  onClose,
}: {
  readonly environment: Environment;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  // After the dialog has focused its first element, which is the one that closes it.
  useEffect(() => input.current?.focus(), []);
  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <Command className={style.palette} label="Find a page or action" loop>
        <Command.Input className={style.input} placeholder="Find a page or action" ref={input} />
        <Command.List className={style.list}>
          <Command.Empty className={style.empty}>Nothing found. Try another word.</Command.Empty>
          <Command.Group heading="Pages">
            {PAGES.map((page) => (
              <Command.Item key={page.path} value={page.name} onSelect={() => go(pathTo(page, environment))}>
                <page.icon size={16} aria-hidden="true" />
                {page.name}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Actions">
            {ACTIONS.map(({ name, icon: Icon, to }) => (
              <Command.Item
                key={name}
                value={name}
                onSelect={() => go(to.startsWith('/') ? to : `/${environment}/${to}`)}
              >
                <Icon size={16} aria-hidden="true" />
                {name}
              </Command.Item>
            ))}
            <Command.Item value="Read the documentation" onSelect={() => location.assign('/docs/')}>
              <BookOpen size={16} aria-hidden="true" />
              Read the documentation
            </Command.Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}
