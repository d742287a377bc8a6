# The learners' nodes: none while nobody learns, as many as the class needs, never more.
resource "google_container_node_pool" "gpu" {
  name               = "l4"
  cluster            = google_container_cluster.this.id
  initial_node_count = 0

  autoscaling {
    total_min_node_count = 0
    total_max_node_count = local.gpu_nodes
    location_policy      = "ANY"
  }

  node_config {
    machine_type     = var.machine_type
    disk_type        = "pd-balanced"
    disk_size_gb     = 100 # the image is 5 to 6 GB unpacked
    image_type       = "COS_CONTAINERD"
    spot             = var.spot
    max_run_duration = var.max_node_hours > 0 ? "${var.max_node_hours * 3600}s" : null
    service_account  = google_service_account.nodes.email
    oauth_scopes     = ["https://www.googleapis.com/auth/cloud-platform"]
    labels           = local.labels

    metadata = { disable-legacy-endpoints = "true" }

    guest_accelerator {
      type  = "nvidia-l4"
      count = local.gpus_per_node

      gpu_driver_installation_config {
        gpu_driver_version = var.driver_version
      }

      dynamic "gpu_sharing_config" {
        for_each = local.is_shared ? [var.learners_per_gpu] : []
        content {
          gpu_sharing_strategy       = "TIME_SHARING"
          max_shared_clients_per_gpu = gpu_sharing_config.value
        }
      }
    }

    dynamic "reservation_affinity" {
      for_each = var.reservation == null ? [] : [var.reservation]
      content {
        consume_reservation_type = "SPECIFIC_RESERVATION"
        key                      = "compute.googleapis.com/reservation-name"
        values                   = [reservation_affinity.value]
      }
    }

    # GKE would add it by itself; written down, it is there from the first plan.
    taint {
      key    = "nvidia.com/gpu"
      value  = "present"
      effect = "NO_SCHEDULE"
    }

    # Image streaming: a Pod starts before its 3 GB are all there.
    gcfs_config {
      enabled = true
    }
    gvnic {
      enabled = true
    }

    # Too much memory ends the learner's worker, not the whole Pod.
    kubelet_config {
      single_process_oom_kill = true
    }

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
    shielded_instance_config {
      enable_secure_boot          = true
      enable_integrity_monitoring = true
    }
  }

  management {
    auto_repair  = true
    auto_upgrade = true
  }

  timeouts {
    create = "30m"
    delete = "30m"
  }

  lifecycle {
    ignore_changes = [initial_node_count, node_config[0].taint]
  }
}
