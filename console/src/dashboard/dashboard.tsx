import { Suspense } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { ButtonLink } from '../ui/forms/button';
import { Page } from '../ui/layout/surface';
import { EnvironmentProvider } from './environment';
import { LogIn } from './login/login';
import { SignUp } from './login/sign-up';
import { type DashboardPage, PAGES } from './pages';
import { LoggedIn } from './session';
import { Shell } from './shell/shell';

/** Every address of the dashboard: `/live/…` and `/test/…` for what belongs to an environment, `/account/…` for the rest. */
export const Dashboard = () => (
  <Routes>
    <Route path="/login" element={<LogIn />} />
    <Route path="/signup" element={<SignUp />} />
    <Route
      path="/"
      element={
        <LoggedIn>
          <Shell />
        </LoggedIn>
      }
    >
      <Route index element={<Navigate to="/live/overview" replace />} />
      {PAGES.flatMap(({ path, of, component, record }) => [
        routeTo(path, of, component),
        record && routeTo(`${path}/:id`, of, record),
      ])}
      <Route path="*" element={<NotHere />} />
    </Route>
  </Routes>
);

const routeTo = (path: string, of: DashboardPage['of'], Component: DashboardPage['component']) => (
  <Route
    key={path}
    path={of === 'account' ? `account/${path}` : `:environment/${path}`}
    element={
      <Suspense fallback={null}>
        {of === 'account' ? <Component /> : <InEnvironment page={<Component />} />}
      </Suspense>
    }
  />
);

function InEnvironment({ page }: { readonly page: React.ReactNode }) {
  const { environment } = useParams();
  if (environment !== 'live' && environment !== 'test') return <NotHere />;
  // Keyed: what was typed or shown for one environment is gone in the other.
  return (
    <EnvironmentProvider key={environment} value={environment}>
      {page}
    </EnvironmentProvider>
  );
}

const NotHere = () => (
  <Page title="There is no such page">
    <p>The address may be mistyped, or of an older version of this dashboard.</p>
    <div>
      <ButtonLink to="/">To the overview</ButtonLink>
    </div>
  </Page>
);
