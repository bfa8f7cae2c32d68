import { createContext, useContext } from 'react';
import type { Environment } from './api';

const EnvironmentContext = createContext<Environment>('live');

export const EnvironmentProvider = EnvironmentContext.Provider;
/** The environment whose data the page shows. */
export const useEnvironment = (): Environment => useContext(EnvironmentContext);
