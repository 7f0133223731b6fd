/* lwIP without an operating system: IPv4 and IPv6, TCP, UDP, DHCP, DNS, SNMP's counters left out. */
#pragma once
#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_DHCP 1
#define LWIP_DNS 1
#define LWIP_AUTOIP 1
#define LWIP_IGMP 1
#define LWIP_IPV6 1
#define LWIP_IPV6_DHCP6 1
#define MEM_ALIGNMENT 4
