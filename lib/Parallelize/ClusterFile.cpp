//===- ClusterFile.cpp - devices and links as a file ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/ClusterFile.h"
#include "tenon/Support/JsonFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace tenon;
using namespace tenon::parallelize;

/// The most devices of a cluster.
static constexpr uint64_t kMostDevices = 1 << 16;

/// Seconds of plans are finite in these ranges, and no real cluster is outside.
static constexpr double kLeastBytesPerSecond = 1, kMostBytesPerSecond = 1e18,
                        kMostLatency = 1e6, kMostSpeed = 1e6,
                        kMostMemory = 0x1p60;

static Error readBytesPerSecond(StringRef name, const JsonMembers &members,
                                bool positive, double &out) {
  if (Error error = members.get(name, out, positive))
    return error;
  if (out != 0 && (out < kLeastBytesPerSecond || out > kMostBytesPerSecond))
    return members.fail("'" + name + "': expected 1 to 1e18");
  return Error::success();
}

/// Returns the device of the default cluster. It is no profile of costs,
/// because Tenon has no code for it.
static cost::DeviceProfile getV100() {
  cost::DeviceProfile v100;
  v100.name = "v100";
  v100.source = "NVIDIA V100 SXM2 data sheet (15.7 TFLOPS f32, 125 TFLOPS f16, "
                "900 GB/s, 80 multiprocessors, 6 MiB L2); launch, cache "
                "bandwidth and half-peak size derived; not measured here";
  v100.device = tenon::Device::Cuda;
  v100.matrixFlops32 = 15.7e12;
  v100.matrixFlops16 = 125e12;
  v100.vectorFlops = 15.7e12;
  v100.memoryBandwidth = 900e9;
  v100.cacheBandwidth = 2 * v100.memoryBandwidth;
  v100.cacheBytes = 6 * 1024 * 1024;
  v100.launchSeconds = 5e-6;
  // Half a wave of tiles of 64 x 64, 256 deep, on 80 multiprocessors.
  v100.halfPeakFlops = 80.0 * 64 * 64 * 256 * 2;
  return v100;
}

ClusterDescription tenon::parallelize::getDefaultCluster(unsigned count) {
  ClusterDescription result;
  result.name = "v100";
  result.source =
      "assumed: NVLink 2 of two bricks inside of nodes, InfiniBand EDR between "
      "them, data sheets";
  result.device = getV100();
  result.cluster.count = count;
  result.cluster.perNode = 4;
  result.cluster.memoryBytes = int64_t(16) << 30;
  result.cluster.inside = {5e-6, 50e9};
  result.cluster.between = {5e-6, 12.5e9};
  return result;
}

static Error readWire(StringRef path, StringRef name,
                      const JsonMembers &members, Cluster::Wire &wire) {
  Expected<const json::Object *> object = members.getObject(name);
  if (!object)
    return object.takeError();
  JsonMembers own(path, ("'" + name + "': ").str(), **object);
  if (Error error = own.checkNames({"latency_seconds", "bytes_per_second"}))
    return error;
  if (Error error = own.get("latency_seconds", wire.latency, false))
    return error;
  if (wire.latency > kMostLatency)
    return own.fail("'latency_seconds': expected at most 1e6");
  return readBytesPerSecond("bytes_per_second", own, true, wire.bytesPerSecond);
}

/// Reads numbers of each device, if there are any, into a member of
/// Cluster::Device: bytes up to the most, or parts of others' speed up to that.
template <typename T>
static Error readEach(StringRef name, const json::Object &object,
                      const JsonMembers &members, size_t count,
                      Cluster &cluster, T Cluster::Device::*member) {
  constexpr bool isInteger = std::is_integral_v<T>;
  constexpr double least = isInteger ? 1 : 1 / kMostSpeed,
                   most = isInteger ? kMostMemory : kMostSpeed;
  if (!object.get(name))
    return Error::success();
  Expected<const json::Array *> numbers = members.getArray(name);
  if (!numbers)
    return numbers.takeError();
  if (cluster.devices.empty())
    cluster.devices.assign(count, {1, cluster.memoryBytes, 1});
  if ((*numbers)->size() != count)
    return members.fail("'" + name + "': expected " + Twine(count) +
                        " numbers, one for each device, but got " +
                        Twine((*numbers)->size()));
  for (auto [number, value] : enumerate(**numbers)) {
    std::optional<double> given = value.getAsNumber();
    if (!given || !(*given >= least) || *given > most ||
        (isInteger && *given != std::floor(*given)))
      return members.fail(
          "'" + name + "': expected " +
          (isInteger ? "integers from 1 to 2^60" : "numbers from 1e-6 to 1e6") +
          ", but got " + formatv("{0}", value).str() + " for device " +
          Twine(number));
    cluster.devices[number].*member = static_cast<T>(*given);
  }
  return Error::success();
}

Expected<ClusterDescription> tenon::parallelize::readCluster(StringRef path,
                                                             unsigned count) {
  Expected<json::Object> object = readJsonFile(path);
  if (!object)
    return object.takeError();
  JsonMembers members(path, "", *object);
  ClusterDescription result;
  if (Error error = members.checkNames(
          {"schema_version", "name", "source", "device", "devices",
           "devices_per_node", "memory_bytes", "inside", "between",
           "host_bytes_per_second", "speeds", "memories", "link_speeds"}))
    return std::move(error);
  std::string device;
  uint64_t devices = 0, perNode = 0, memory = 0;
  if (Error error = members.get("name", result.name))
    return std::move(error);
  if (Error error = members.get("source", result.source))
    return std::move(error);
  if (Error error = members.get("device", device))
    return std::move(error);
  if (Error error = members.get("devices", devices, 1))
    return std::move(error);
  if (Error error = members.get("devices_per_node", perNode, 1))
    return std::move(error);
  if (Error error = members.get("memory_bytes", memory, 1))
    return std::move(error);
  Cluster &cluster = result.cluster;
  if (Error error = readWire(path, "inside", members, cluster.inside))
    return std::move(error);
  if (Error error = readWire(path, "between", members, cluster.between))
    return std::move(error);
  if (object->get("host_bytes_per_second"))
    if (Error error = readBytesPerSecond("host_bytes_per_second", members,
                                         false, cluster.hostBytesPerSecond))
      return std::move(error);
  if (devices > kMostDevices || perNode > devices)
    return members.fail("expected 1 to 65536 'devices', and no more "
                        "'devices_per_node' than that");
  if (memory > static_cast<uint64_t>(kMostMemory))
    return members.fail("'memory_bytes': expected at most 2^60");
  if (count > devices)
    return members.fail("it has " + Twine(devices) + " devices, but " +
                        Twine(count) + " are asked for");
  cluster.count = count ? count : devices;
  cluster.perNode = perNode;
  cluster.memoryBytes = static_cast<int64_t>(memory);
  if (Error error = readEach("speeds", *object, members, devices, cluster,
                             &Cluster::Device::speed))
    return std::move(error);
  if (Error error = readEach("memories", *object, members, devices, cluster,
                             &Cluster::Device::memoryBytes))
    return std::move(error);
  if (Error error = readEach("link_speeds", *object, members, devices, cluster,
                             &Cluster::Device::linkSpeed))
    return std::move(error);
  Expected<cost::DeviceProfile> profile =
      device == "v100" ? getV100() : cost::getProfile(device);
  if (!profile)
    return members.fail("'device': " + toString(profile.takeError()));
  result.device = std::move(*profile);
  return std::move(result);
}
