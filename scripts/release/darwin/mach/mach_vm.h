// What Prometheus's client asks of a header that zig does not bring for macOS; the functions are in libSystem.
#include <mach/mach_types.h>
#include <mach/vm_region.h>

kern_return_t mach_vm_region(vm_map_t task, mach_vm_address_t *address, mach_vm_size_t *size, vm_region_flavor_t flavor,
                             vm_region_info_t info, mach_msg_type_number_t *count, mach_port_t *object_name);
