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

/** All routes of the dashboard: `/live/…` and `/test/…` for data of an environment, `/account/…` for the account. */
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
      <Route path="*" element={<NotFound />} />
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
  if (environment !== 'live' && environment !== 'test') return <NotFound />;
  // The key resets the page's state when the environment changes.
  return (
    <EnvironmentProvider key={environment} value={environment}>
      {page}
    </EnvironmentProvider>
  );
}

const NotFound = () => (
  <Page title="Page not found">
    <p>Check the address. It may be mistyped or belong to an older version of the dashboard.</p>
    <div>
      <ButtonLink to="/">Go to the overview</ButtonLink>
    </div>
  </Page>
);
