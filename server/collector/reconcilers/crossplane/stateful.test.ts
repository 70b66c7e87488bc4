import { expect, it } from 'vitest';
import { isStateful } from './stateful.ts';

/** Kinds as the provider families of AWS, Google Cloud and Azure serve them, by group: those that hold data | those that hold none. */
const kinds = `
s3.aws.upbound.io: Bucket DirectoryBucket | BucketPolicy BucketVersioning
s3.aws.m.upbound.io: Bucket | BucketPolicy
s3: Bucket | Object
storage.gcp.upbound.io: Bucket | BucketIAMMember
storage.azure.upbound.io: Account Container Share Table Queue | ManagementPolicy
rds.aws.upbound.io: Instance Cluster GlobalCluster ClusterInstance DBInstance DBCluster | ParameterGroup SubnetGroup Proxy
database.aws.crossplane.io: RDSInstance | DBSubnetGroup
database.gcp.crossplane.io: CloudSQLInstance | Role
database.azure.crossplane.io: PostgreSQLServer MySQLServer | PostgreSQLServerFirewallRule
sql.gcp.upbound.io: DatabaseInstance Database | User SSLCert
sql.azure.upbound.io: MSSQLServer MSSQLDatabase MSSQLManagedInstance MSSQLManagedDatabase | MSSQLFirewallRule
dynamodb.aws.upbound.io: Table GlobalTable | TableItem Tag
docdb.aws.upbound.io: Cluster ClusterInstance GlobalCluster | SubnetGroup
neptune.aws.upbound.io: Cluster ClusterInstance | ClusterParameterGroup
redshift.aws.upbound.io: Cluster | SubnetGroup
elasticache.aws.upbound.io: Cluster ReplicationGroup GlobalReplicationGroup ServerlessCache | User UserGroup
memorydb.aws.upbound.io: Cluster | ACL
opensearch.aws.upbound.io: Domain | DomainPolicy
elasticsearch.aws.upbound.io: Domain | DomainPolicy
efs.aws.upbound.io: FileSystem | MountTarget
fsx.aws.upbound.io: LustreFileSystem OntapFileSystem WindowsFileSystem OpenzfsFileSystem | Backup
ec2.aws.upbound.io: EBSVolume EBSSnapshot | Instance VPC
ecr.aws.upbound.io: Repository | LifecyclePolicy
kafka.aws.upbound.io: Cluster ServerlessCluster | Configuration
kinesis.aws.upbound.io: Stream | StreamConsumer
sqs.aws.upbound.io: Queue | QueuePolicy
timestreamwrite.aws.upbound.io: Database Table |
kms.aws.upbound.io: Key | Alias Grant
secretsmanager.aws.upbound.io: Secret | SecretPolicy
spanner.gcp.upbound.io: Instance Database | DatabaseIAMMember
bigquery.gcp.upbound.io: Dataset Table | Job
bigtable.gcp.upbound.io: Instance Table | AppProfile
alloydb.gcp.upbound.io: Cluster Instance | Backup
firestore.gcp.upbound.io: Database | Index
redis.gcp.upbound.io: Instance Cluster |
filestore.gcp.upbound.io: Instance | Backup
compute.gcp.upbound.io: Disk RegionDisk Snapshot | Instance Network
compute.azure.upbound.io: ManagedDisk | LinuxVirtualMachine
cosmosdb.azure.upbound.io: Account SQLDatabase SQLContainer MongoDatabase MongoCollection | SQLFunction
documentdb.azure.upbound.io: Account |
dbforpostgresql.azure.upbound.io: FlexibleServer FlexibleServerDatabase Server Database | FirewallRule
dbformysql.azure.upbound.io: FlexibleServer FlexibleDatabase Server Database | FlexibleServerConfiguration
dbformariadb.azure.upbound.io: Server Database | FirewallRule
cache.azure.upbound.io: RedisCache | RedisFirewallRule
cache.aws.crossplane.io: ReplicationGroup | CacheSubnetGroup
keyvault.azure.upbound.io: Vault Key Secret | AccessPolicy
eventhub.azure.upbound.io: EventHub EventHubNamespace | ConsumerGroup
iam.aws.upbound.io: | Role Policy`;

it.each(kinds.trim().split('\n'))('%s', (line) => {
  const [group = '', all = ''] = line.split(':');
  const holds = (kind: string) => isStateful({ cluster: 'c1', group, kind, namespace: '', name: 'x' });
  const read = all.split('|').map((text) => text.split(' ').filter((kind) => kind !== ''));
  expect(read.map((each) => each.filter(holds))).toEqual([read[0], []]);
});
