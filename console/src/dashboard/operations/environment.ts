import { createContext, useContext } from 'react';
import type { Environment } from './api';

export const ENVIRONMENTS: Readonly<Record<Environment, string>> = { live: 'Live', test: 'Test' };

const EnvironmentContext = createContext<Environment>('live');

export const EnvironmentProvider = EnvironmentContext.Provider;
export const useEnvironment = (): Environment => useContext(EnvironmentContext);
