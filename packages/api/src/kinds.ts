import * as capi from './cluster-api/index.ts'
import { ClusterOperator, ClusterVersion } from './config/index.ts'
import { ControlPlaneComponent, HostedCluster, HostedControlPlane, NodePool } from './hypershift/index.ts'
import { AgentMachineTemplate, AWSMachineTemplate, KubevirtMachineTemplate } from './infrastructure/index.ts'
import {
  ClusterOperatorProgressInsight,
  ClusterVersionProgressInsight,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
} from './insights/index.ts'
import type { Kind } from './kind.ts'
import * as machineApi from './machine-api/index.ts'
import { MachineConfig, MachineConfigPool } from './machineconfig/index.ts'
import { PrometheusRule, ServiceMonitor } from './monitoring/index.ts'
import { Route } from './route/index.ts'
import { UpgradeConfig } from './upgrades/index.ts'
import { LogicalCluster } from './windlass/index.ts'

/** Every kind that has a CRD of ours, by group. */
export const allKinds: readonly Kind[] = [
  HostedCluster,
  HostedControlPlane,
  ControlPlaneComponent,
  NodePool,
  ClusterVersion,
  ClusterOperator,
  MachineConfigPool,
  MachineConfig,
  machineApi.Machine,
  machineApi.MachineSet,
  capi.Cluster,
  capi.MachineDeployment,
  capi.MachineSet,
  capi.Machine,
  capi.MachineHealthCheck,
  AWSMachineTemplate,
  KubevirtMachineTemplate,
  AgentMachineTemplate,
  UpgradeConfig,
  ClusterVersionProgressInsight,
  ClusterOperatorProgressInsight,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
  LogicalCluster,
  ServiceMonitor,
  PrometheusRule,
  Route,
]
