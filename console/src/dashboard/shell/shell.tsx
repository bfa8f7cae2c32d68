import { useQueryClient } from '@tanstack/react-query';
import { BookOpen, FlaskConical, Menu as MenuIcon, Search, X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { Brand } from '../../ui/brand/brand';
import { Toasts } from '../../ui/floating/toasts';
import { Button, ButtonAnchor } from '../../ui/forms/button';
import { Boundary } from '../../ui/layout/boundary';
import { classes } from '../../ui/layout/classes';
import { lazyComponent } from '../../ui/lazy-component';
import { useCan, useRole } from '../nouns/members/needs';
import { useTimePages } from '../nouns/sites/use-time-pages';
import type { Environment } from '../operations/api';
import { ENVIRONMENTS, EnvironmentProvider } from '../operations/environment';
import { useHasBlockchain } from '../operations/use-health';
import { addressOf, type DashboardPage, PAGES, pageAt, type Room, roomNameOf, roomsOf } from '../pages';
import { pageIn } from '../paths';
import { RegistrationForm } from '../registrations/registrations';
import { AccountBar } from './account-bar';
import { AccountMenu } from './account-menu';
import style from './shell.module.css';
import { useFocusFollows } from './use-focus-follows';

const Palette = lazyComponent(() => import('./palette').then((found) => found.Palette));

export function Shell() {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  const [registering, setRegistering] = useState(false);
  const environment = useShownEnvironment(pathname);
  const shown = pageAt(pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu and the form
  useEffect(() => {
    setOpen(false);
    setRegistering(false);
  }, [pathname]);
  useFocusFollows(pathname);
  usePreload();
  useShortcut(() => setFinding(true));
  return (
    <div className={classes(style.sizes, style.shell)} data-environment={environment}>
      {/* A link would replace the history entry and lose a code stored there that can't be shown again. */}
      <button type="button" className={style.skip} onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header className={style.top}>
        <Home />
        <button type="button" className={style.find} aria-haspopup="dialog" onClick={() => setFinding(true)}>
          <Search size={16} aria-hidden="true" />
          <span>Find a person, device or page</span>
          <kbd>{SHORTCUT}</kbd>
        </button>
        <EnvironmentSwitch current={environment} shown={shown} />
        <ButtonAnchor className={style.docs} href="/docs/">
          <BookOpen size={16} aria-hidden="true" />
          Docs
        </ButtonAnchor>
        <Button
          className={style.menu}
          look="quiet"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          {open ? <X size={18} aria-hidden="true" /> : <MenuIcon size={18} aria-hidden="true" />}
          Menu
        </Button>
      </header>
      <aside className={style.side} id="navigation" data-open={open} aria-label="Sidebar">
        <Home />
        <Navigation environment={environment} shown={shown} />
        <AccountMenu />
      </aside>
      {environment === 'test' && (
        <section className={style.test} aria-label="Environment">
          <FlaskConical size={16} aria-hidden="true" />
          Test environment. Nothing here touches live data.
        </section>
      )}
      <AccountBar />
      <main className={style.main} id="main" tabIndex={-1}>
        <Boundary page={pathname}>
          <Toasts>
            <Later>
              <Outlet context={environment} />
            </Later>
          </Toasts>
        </Boundary>
      </main>
      {finding && (
        <Suspense fallback={null}>
          <Palette
            environment={environment}
            onRegister={() => setRegistering(true)}
            onClose={() => setFinding(false)}
          />
        </Suspense>
      )}
      {registering && (
        <EnvironmentProvider value={environment}>
          <RegistrationForm onClose={() => setRegistering(false)} />
        </EnvironmentProvider>
      )}
    </div>
  );
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const SHORTCUT = isMac ? '⌘K' : 'Ctrl K';

function useShortcut(onShortcut: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it only sets a state
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // A dialog that is open keeps the keyboard.
      if (
        event.key !== 'k' ||
        !(isMac ? event.metaKey : event.ctrlKey) ||
        document.querySelector('dialog[open]')
      )
        return;
      event.preventDefault();
      onShortcut();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** The page comes in a task after the frame around it: a slow phone needs a tenth of a second for each. */
function Later({ children }: { readonly children: ReactNode }) {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true));
    return () => clearTimeout(timer);
  }, []);
  return isDue ? children : <div className="skeleton-page" />;
}

/** Loads the code of all pages, one after the other, whenever the browser has nothing else to do and waits for no data. */
function usePreload(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      // First, because letters that are typed before it is there would be lost.
      const components = [
        Palette,
        ...PAGES.flatMap(({ component, record }) => [component, record?.component]),
      ];
      for (const component of components) {
        await whenIdle();
        while (isShown && queries.isFetching() > 0) await later();
        if (!isShown) return;
        component?.preload();
      }
    };
    void load();
    return () => {
      isShown = false;
    };
  }, [queries]);
}

const later = () => new Promise<unknown>((resolve) => setTimeout(resolve, 200));

const whenIdle = () =>
  new Promise<unknown>((resolve) => {
    // Safari has no idle callback.
    if (typeof requestIdleCallback === 'undefined') void later().then(resolve);
    else requestIdleCallback(resolve);
  });

const Home = () => (
  <Link to="/">
    <Brand />
  </Link>
);

/** The rooms. The one that is open shows its pages below it. In the menu of a phone, all rooms show them. */
const Navigation = ({
  environment,
  shown,
}: {
  readonly environment: Environment;
  readonly shown: DashboardPage | undefined;
}) => (
  <nav className={style.nav} aria-label="Dashboard">
    <ul>
      {roomsOf(useRole(), useHasBlockchain(), useTimePages(environment)).map((room) => (
        <RoomLinks key={room.name} room={room} environment={environment} shown={shown} />
      ))}
    </ul>
  </nav>
);

function RoomLinks({
  room: { name, icon: Icon, pages },
  environment,
  shown,
}: {
  readonly room: Room;
  readonly environment: Environment;
  /** The page that is shown. */
  readonly shown: DashboardPage | undefined;
}) {
  const isOpen = roomNameOf(shown) === name;
  const current = isOpen && (pages.length > 1 ? true : 'page');
  return (
    <li className={style.room} data-open={isOpen}>
      <PageLink page={pages[0]} environment={environment} current={current}>
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        {pages.length > 1 ? name : pages[0].name}
      </PageLink>
      {pages.length > 1 && (
        <ul aria-label={name}>
          {pages.map((page) => (
            <li key={page.path}>
              <PageLink page={page} environment={environment} current={page === shown && 'page'}>
                {page.name}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Loads the code and the data of a page as soon as the reader means to open it. */
function PageLink({
  page,
  environment,
  current,
  children,
}: {
  readonly page: DashboardPage;
  readonly environment: Environment;
  readonly current: 'page' | boolean;
  readonly children: ReactNode;
}) {
  const queries = useQueryClient();
  const prepare = () => {
    page.component.preload();
    page.prefetch?.(queries, environment);
  };
  return (
    <Link
      to={addressOf(page, environment)}
      aria-current={current || undefined}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={prepare}
    >
      {children}
    </Link>
  );
}

/** Links to the same page in the other environment. From a page of the account, it links to Home. */
function EnvironmentSwitch({
  current,
  shown,
}: {
  readonly current: Environment;
  readonly shown: DashboardPage | undefined;
}) {
  // From a record's page, link to the list, because a record belongs to one environment.
  const page = shown?.of === 'environment' ? shown.path : 'overview';
  // Reception works in one environment.
  if (!useCan('auditor')) return null;
  return (
    <nav className={style.switch} aria-label="Environment">
      {(['live', 'test'] as const).map((environment) => (
        <Link key={environment} to={pageIn(environment, page)} aria-current={environment === current}>
          {ENVIRONMENTS[environment]}
        </Link>
      ))}
    </nav>
  );
}

/** The environment in the address. An account page keeps the previous one. */
function useShownEnvironment(pathname: string): Environment {
  const named = /^\/(live|test)(\/|$)/.exec(pathname)?.[1] as Environment | undefined;
  const [last, setLast] = useState<Environment>(named ?? 'live');
  useEffect(() => {
    if (named !== undefined) setLast(named);
  }, [named]);
  return named ?? last;
}
